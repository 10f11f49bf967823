/** Keys of the page. */
import { copyAndSay, current, refuseAll, run, set, stop } from "./state.ts";

/** Acts on a key, unless a field, a button or a dialog uses it. */
export function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const isTyping = target.matches("textarea, select, input:not([type=checkbox])");
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector("dialog[open]")) return;
  const { tab, report, running } = current();
  const isReview = tab === "review";
  const act = {
    j: () => move(1),
    k: () => move(-1),
    "?": () => set({ isHelpOpen: true }),
    s: () => set({ isSplit: !current().isSplit }),
    "1": () => set({ tab: "review" }),
    "2": () => set({ tab: "history" }),
    "3": () => set({ tab: "files" }),
    ...(isReview && { c: commentHere, x: refuseAll }),
    ...(isReview && report && { y: () => void copyAndSay(report.text) }),
    ...(isReview && running && { Escape: stop }),
    ...(isReview && !target.matches("button, a, summary") && { Enter: () => void run() }),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** Begins a comment on the hunk that has the focus, or on the first of its item. */
function commentHere(): void {
  const focused = document.activeElement;
  const around = focused?.closest(".bar") ?? focused?.closest("article");
  around?.querySelector<HTMLButtonElement>(".bar button.link, .talk.add")?.click();
}

/** Moves the focus to the next or the previous thing that can be chosen. */
function move(step: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>("[data-stop]:not(:disabled)")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? stops.at(step === 1 ? 0 : -1) : (stops[at + step] ?? stops[at]);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "center" });
  if (!next && current().tab === "review") scrollTo(0, 0);
}

/** Keys of the page. */
import { copyAndSay, current, refuseAll, startRun, set, stop } from "./state.ts";

/** Acts on a key, unless a field, a button or a dialog uses it. */
export function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const isTyping = target.matches("textarea, select, input:not([type=checkbox])");
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector("dialog[open]")) return;
  const { tab, report, running } = current();
  const isReview = tab === "review";
  const act = {
    j: () => move(1, STOPS),
    k: () => move(-1, STOPS),
    ...(target.matches(`article :is(${STOPS}, ${LINES})`) && {
      ArrowDown: () => move(1, LINES),
      ArrowUp: () => move(-1, LINES),
    }),
    "?": () => set({ isHelpOpen: true }),
    s: () => set({ isSplit: !current().isSplit }),
    "1": () => set({ tab: "review" }),
    "2": () => set({ tab: "history" }),
    "3": () => set({ tab: "files" }),
    ...(tab === "files" && { "/": () => document.querySelector<HTMLInputElement>("[type=search]")?.focus() }),
    ...(isReview && { c: commentHere, x: refuseAll }),
    ...(isReview && report && { y: () => void copyAndSay(report.text) }),
    ...(isReview && running && { Escape: stop }),
    ...(isReview && !target.matches("button, a, summary") && { Enter: () => void startRun() }),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** What can be chosen. */
const STOPS = "[data-stop]:not(:disabled)";
/** The signs of lines that can be commented on. */
const LINES = "button.sign";

/** Begins a comment on the line or the hunk that has the focus, or on the first hunk of its item. */
function commentHere(): void {
  const focused = document.activeElement;
  if (focused?.matches(LINES)) return (focused as HTMLElement).click();
  const around = focused?.closest(".bar") ?? focused?.closest("article");
  around?.querySelector<HTMLButtonElement>(".bar button.link, .talk.add")?.click();
}

/** Moves the focus to the next or the previous element of a kind. */
function move(step: 1 | -1, kind: string): void {
  const side = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const from = document.activeElement ?? document.body;
  const beyond = [...document.querySelectorAll<HTMLElement>(kind)].filter(
    (element) => from.compareDocumentPosition(element) & side,
  );
  const next = beyond.at(step === 1 ? 0 : -1);
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "center" });
  if (!next && current().tab === "review") scrollTo(0, 0);
}

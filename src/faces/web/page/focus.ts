/** Gives an element the focus when it appears. Browsers heed `autofocus` only once. For `ref`. */
export function focus(element: HTMLElement | null): void {
  if (element && !element.contains(document.activeElement)) element.focus();
}

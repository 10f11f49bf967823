/** How comments begin and end, in all languages: the one table for everybody who looks for a comment in a line. */

interface CommentStyle {
  /** Source of a regular expression. */
  readonly open: string;
  /** Undefined if such a comment ends with its line. */
  readonly close?: string;
  /** Whether it is looked for behind code in a line too. */
  readonly isInline?: true;
}

/** Source of an ellipsis. */
export const ELLIPSIS_SOURCE = "(?:\\.{3,4}|[…⋮⋯]|\\. \\. \\.)";
const GAP = "(?=\\s|$|\\.{3}|…)";

const STYLES: readonly CommentStyle[] = [
  { open: "\\{?/\\*+", close: "\\*+/\\}?", isInline: true },
  { open: "//+", isInline: true },
  { open: "<!--", close: "-->", isInline: true },
  { open: "\\(\\*", close: "\\*\\)", isInline: true },
  // Haskell.
  { open: `\\{-${GAP}`, close: "-\\}", isInline: true },
  // Handlebars, Go's templates, Jinja, ERB and JSP, Razor.
  { open: "\\{\\{!--", close: "--\\}\\}", isInline: true },
  { open: `\\{\\{!${GAP}`, close: "\\}\\}", isInline: true },
  { open: "\\{\\{-? ?/\\*", close: "\\*/ ?-?\\}\\}" },
  { open: `\\{#-?${GAP}`, close: "-?#\\}" },
  { open: "<%--", close: "--%>" },
  { open: "<%#", close: "%>" },
  { open: `@\\*${GAP}`, close: "\\*@" },
  // Lua, PowerShell, Lisp.
  { open: "--\\[=*\\[", close: "\\]=*\\]" },
  { open: `<#${GAP}`, close: "#>" },
  { open: `#\\|${GAP}`, close: "\\|#" },
  { open: `#+${GAP}`, isInline: true },
  { open: `--+${GAP}`, isInline: true },
  { open: `(?:;+|%+|!+|::)${GAP}` },
  // Batch files, m4.
  { open: `(?:@?(?:rem|REM|Rem)|dnl)${GAP}` },
  // Visual Basic and Vim; two of the marks are a string's.
  { open: `'${GAP}(?!.*')` },
  { open: `"${GAP}(?!.*")` },
];

/** Source of what a comment begins with. */
export const OPENINGS = `(?:${STYLES.map(({ open }) => open).join("|")})`;
const OPENING = new RegExp(`^${OPENINGS}`);
const CLOSABLE = new RegExp(
  `^(?:${STYLES.flatMap(({ open, close }) => (close === undefined ? [] : [open])).join("|")})`,
);
const MARKS = STYLES.map(({ open, close }) => ({
  open: new RegExp(`^${open}`),
  close: close === undefined ? undefined : new RegExp(`${close}$`),
}));

/** Sources of what comments behind code begin with, and of whole ones that end before their line does. */
export const INLINE_OPENINGS = `(?:${inline().map(({ open }) => open).join("|")})`;
export const INLINE_CLOSED = `(?:${inline()
  .flatMap(({ open, close }) => (close === undefined ? [] : [`${open}.*${close}`]))
  .join("|")})`;

function inline(): readonly CommentStyle[] {
  return STYLES.filter(({ isInline }) => isInline);
}

/** Returns whether a trimmed line begins a comment. */
export function isComment(line: string): boolean {
  return OPENING.test(line);
}

/** Returns whether a trimmed line begins a comment that has a mark at its end. */
export function isClosableComment(line: string): boolean {
  return CLOSABLE.test(line);
}

/** Returns the trimmed text of the comment that a trimmed line is. Undefined if it is none. */
export function commentText(line: string): string | undefined {
  if (!OPENING.test(line)) return undefined;
  const style = MARKS.find(({ open }) => open.test(line));
  const text = line.replace(style?.open ?? "", "");
  return (style?.close === undefined ? text : text.replace(style.close, "")).trim();
}

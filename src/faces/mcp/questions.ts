/** Words and forms for what a run asks the user, in the client's own dialog. */
import { type Approval, shownRequest, visibleInLines } from "../../index.ts";
import type { AskedRequest } from "./open-call.ts";

/** A form of the protocol, as the SDK takes it. */
interface Question {
  message: string;
  requestedSchema: {
    type: "object";
    properties: { answer: { type: "string"; title: string; enum: string[]; enumNames: string[] } };
    required: string[];
  };
}

/** What the client's user did with the form. */
interface Reply {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** @param call the tool and its arguments, as text */
export function questionFor(
  request: AskedRequest,
  { root, call }: { readonly root: string; readonly call: string },
): Question {
  const lasts = request.kind === "command" || request.kind === "protected" || request.kind === "no-sandbox";
  const answers: ReadonlyArray<readonly [word: string, label: string]> = [
    ["no", "No"],
    ["once", lasts ? "Yes, this time" : "Yes"],
    ...(lasts ? ([["always", "Yes, from now on"]] as const) : []),
  ];
  const { title, body } = shownRequest(request, root);
  return {
    message: shorten(`${title}. Allow it?\n\n${body === "" ? visibleInLines(call) : body}`),
    requestedSchema: {
      type: "object",
      properties: {
        answer: {
          type: "string",
          title: "Allow it?",
          enum: answers.map(([word]) => word),
          enumNames: answers.map(([, label]) => label),
        },
      },
      required: ["answer"],
    },
  };
}

/** A dialog does not scroll well. What is cut stands in the middle, so that the end of a command shows. */
function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const half = MAX_LENGTH / 2;
  return `${text.slice(0, half)}\n… ${text.length - MAX_LENGTH} characters are left out here …\n${text.slice(-half)}`;
}

const MAX_LENGTH = 6_000;

/** Anything but a clear yes is a no. */
export function approvalOf(reply: Reply | undefined): Approval {
  if (reply?.action !== "accept") return "no";
  const { answer } = reply.content ?? {};
  return answer === "always" ? "yes" : answer === "once" ? "once" : "no";
}

/** The law of checks that all have the same body: another one takes the place of none. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const GO =
  'package a\n\nfunc (s *Server) Start(addr string) error {\n\ts.init()\n\tlistener, err := net.Listen("tcp", addr)\n\tif err != nil {\n\t\treturn err\n\t}\n\ts.serve(listener)\n\treturn nil\n}\n';
const check = (call: string): string => `\`\`\`go\nif err := ${call}; err != nil {\n\treturn err\n}\n\`\`\`\n`;

test("a call that is checked takes the place of the call", async () => {
  const now = GO.replace("\ts.init()\n", "\tif err := s.init(); err != nil {\n\t\treturn err\n\t}\n");
  expect(await answered("a.go", GO, `In \`a.go\`, check it:\n\n${check("s.init()")}`)).toBe(now);
});

test.each(["validate(addr)", "listener.Close()", "s.stop()"])("the check of %s leaves the others", async (call) => {
  for (const sentence of ["Validate first in `a.go`:", "In `a.go`, also check this:", "Update `a.go`:"])
    expect(await answered("a.go", GO, `${sentence}\n\n${check(call)}`), sentence).toContain('net.Listen("tcp", addr)\n\tif err != nil {\n');
});

/** The law of what a class of Ruby is declared to have: a further one goes below those of its kind. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const LINES = ["  belongs_to :user", "  has_many :notes", "", "  validates :title, presence: true", "", "  scope :published, -> { where(published: true) }", "  scope :old, -> { where(old: true) }", "", "  def hide!", "    update(hidden: true)", "  end"];
const fileOf = (lines: readonly string[], name = "Post"): string => `class ${name} < Base\n${lines.join("\n")}\nend\n`;
const answerOf = (sentence: string, line: string): string => `${sentence}\n\n\`\`\`ruby\n${line}\n\`\`\`\n`;
const SENTENCES = ["Add a scope to the `Post` model in `post.rb`:", "In `post.rb`, add this to `Post`:", "Add this to `post.rb`:"];

test.each([
  ["  scope :recent, -> { order(:at) }", "  scope :old, -> { where(old: true) }"],
  ["  has_many :tags", "  has_many :notes"],
  ["  validates :body, presence: true", "  validates :title, presence: true"],
])("%s", async (line, above) => {
  const at = LINES.indexOf(above) + 1;
  for (const sentence of SENTENCES)
    for (const shown of [line, line.trim()])
      expect(await answered("post.rb", fileOf(LINES), answerOf(sentence, shown)), sentence).toBe(fileOf(LINES.toSpliced(at, 0, line)));
});

test("a kind in two places, in a function, going on in further lines or of the same name is none to stand below", async () => {
  const line = "scope :recent, -> { order(:at) }";
  for (const lines of [
    [...LINES, "", "  scope :last, -> { order(:id) }"],
    ["  def f", "    scope :a", "  end"],
    ["  scope :old, lambda {", "    where(old: true)", "  }"],
    ["  scope :recent, -> { order(:id) }"],
  ]) {
    const text = await answered("post.rb", fileOf(lines), answerOf("Add a scope to `Post` in `post.rb`:", line));
    expect([fileOf(lines), fileOf([...lines, `  ${line}`])]).toContain(text);
  }
  const two = `${fileOf(["  has_many :a"])}\n${fileOf(LINES.slice(8), "Note")}`;
  expect(await answered("post.rb", two, answerOf("Add this to `post.rb`:", "has_many :b"))).toBe(two);
});

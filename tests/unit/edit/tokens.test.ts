import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { estimateTokens } from "../../../src/edit/tokens.ts";
import { measureWork } from "../../support/work.ts";

/** The files of this project, by kind. Together they are a mixed corpus. */
const kinds: Readonly<Record<string, (name: string) => boolean>> = {
  TypeScript: (name) => /^(src|tests)\/.*\.ts$/.test(name),
  JavaScript: (name) => /^(scripts|bench|examples)\/.*\.m?js$/.test(name),
  Markdown: (name) => name.endsWith(".md"),
  "JSON and YAML": (name) => /^docs\/.*\.json$|^[^/]+\.(json|jsonc|yml)$/.test(name) && name !== "package-lock.json",
};

const folders = ["src", "tests", "scripts", "bench", "docs", "examples"];
const files = [...folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))), ...readdirSync(".")];
const allowedSpecial = "all" as const;

const languages = {
  German: "Dieses Werkzeug liest die Antwort eines Sprachmodells, findet die Aktionsblöcke, prüft sie und führt sie im Projekt des Benutzers aus. Schlägt etwas fehl, so sagt der Bericht, warum.",
  French: "Cet outil lit la réponse d'un modèle de langue, trouve les blocs d'actions, les vérifie et les exécute dans le projet de l'utilisateur. En cas d'échec, le rapport en donne la raison.",
  Chinese: "我们需要在提交之前检查所有文件的编码，并且确保没有丢失任何字节。如果配置文件不存在，程序会使用默认值，然后在报告中写明原因。",
  Japanese: "このツールは言語モデルの回答を読み取り、アクションブロックを見つけて検証し、プロジェクト内で実行します。失敗した場合は理由を表示します。",
  Korean: "이 도구는 언어 모델의 답변을 읽고 동작 블록을 찾아 검증한 다음 프로젝트에서 실행합니다. 실패하면 이유를 보여 줍니다.",
  Russian: "Этот инструмент читает ответ языковой модели, находит блоки действий, проверяет их и выполняет в проекте пользователя. Если что-то не удалось, он сообщает причину.",
};

test("the estimate is within 5 % of o200k on a mixed corpus, and within 10 % on each kind", () => {
  let [estimated, real] = [0, 0];
  for (const [kind, isOf] of Object.entries(kinds)) {
    const texts = files.filter(isOf).map((file) => readFileSync(file, "utf8"));
    const [ours, theirs] = [estimateTokens, (text: string) => countTokens(text, { allowedSpecial })].map((count) => texts.reduce((sum, text) => sum + count(text), 0)) as [number, number];
    expect(theirs, kind).toBeGreaterThan(2_000);
    expect(Math.abs(ours / theirs - 1), `${kind}: ${ours} against ${theirs}`).toBeLessThan(0.1);
    estimated += ours;
    real += theirs;
  }
  for (const text of Object.values(languages)) {
    estimated += estimateTokens(text);
    real += countTokens(text);
  }
  expect(Math.abs(estimated / real - 1), `${estimated} against ${real}`).toBeLessThan(0.05);
});

test.each(Object.entries(languages))("the estimate for %s is within a fifth", (_, text) => {
  expect(Math.abs(estimateTokens(text) / countTokens(text) - 1)).toBeLessThan(0.2);
});

test("an empty text has no tokens, and a hostile text takes linear time", () => {
  expect(estimateTokens("")).toBe(0);
  const work = measureWork();
  for (const unit of [" ", "A", "a", "'", "\n", "漢", "\t "]) expect(estimateTokens(unit.repeat(200_000))).toBeGreaterThan(0);
  expect(work()).toBeLessThan(2_000);
});

test("a single Chinese character is a token", () => {
  expect(estimateTokens("\u6f22")).toBe(1);
});

/** The pieces of a kind differ by their length. A change of the means changes these numbers. */
test.each([
  [" abcdefghijkl", 225],
  [" abcdefg", 200],
  ["abcdefgh", 228],
  ["abc", 200],
  [" Abcdefgh", 243],
  ["Abcd", 200],
  ["ABCDEF", 340],
  ["AB", 200],
  ["_abcdefg", 245],
  ["_ab", 200],
  ["123", 200],
  ["(){}[]<>", 340],
  ["漢字漢字漢", 448],
  ["漢字", 262],
  ["가나다라마", 380],
  ["가나", 200],
  ["привет", 238],
  ["éàüö", 200],
  ["😀😀😀", 640],
])("a hundred lines of '%s' have %i tokens with their breaks", (piece, tokens) => {
  expect(estimateTokens(`${piece}\n`.repeat(100))).toBe(tokens);
});

/** Law of sentences in other languages: an order lands, and what tells the present code, a fault, a use or a possibility does not. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answered } from "./answered.ts";

const [OLD, NOW, REST] = ["def load(path):\n    return read(path)\n", "def load(path):\n    return read(path, 1)\n", "\n\ndef other():\n    return 1\n"];
const made = async (text: string): Promise<string> => {
  await loadStructure("a.py");
  return answered("a.py", OLD + REST, text);
};
const below = (sentence: string): Promise<string> => made(`${sentence}\n\n\`\`\`python\n${NOW}\`\`\`\n`);

test("an order lands", async () => {
  for (const sentence of ORDERS) expect(await below(sentence), sentence).toBe(NOW + REST);
});

test("what orders nothing does not", async () => {
  for (const sentence of TOLD) expect(await below(sentence), sentence).toBe(OLD + REST);
});

test.each([
  ["Bisher steht in `a.py`:", "Ändere es zu:"], ["Vorher (`a.py`):", "Nachher:"], ["Alter Code in `a.py`:", "Neuer Code:"], ["Ersetze in `a.py`:", "durch:"], ["Actuellement dans `a.py` :", "Remplacez par :"],
  ["Avant (`a.py`) :", "Après :"], ["En `a.py`, reemplaza:", "por:"], ["Antes (`a.py`):", "Después:"], ["将 `a.py` 中的：", "改为："], ["`a.py` 修改前：", "修改后："],
])("a pair under %s … %s lands, or is refused", async (before, after) => {
  const [old, now] = ["    return read(path)\n", "    return read(path, 1)\n"];
  const fence = (code: string): string => `\n\n\`\`\`python\n${code}\`\`\`\n\n`;
  expect([OLD + REST, NOW + REST]).toContain(await made(`${before}${fence(old)}${after}${fence(now)}`));
});

const ORDERS: readonly string[] = [
  "Ändere `load` in `a.py`, sodass ein Fehler ausgelöst wird:", "Ändere `load` in `a.py` so, dass leere Pfade abgelehnt werden:", "Ersetze `load` in `a.py` durch:", "Ersetze die Funktion `load` in `a.py` durch folgende:",
  "Passe `load` in `a.py` an:", "Passe die Funktion `load` in `a.py` wie folgt an:", "In `a.py` muss `load` angepasst werden:", "In `a.py` wird `load` angepasst:", "In `a.py` wird `load` zu:", "In `a.py`:", "Und in `a.py`:",
  "Dann in `a.py`:", "In `a.py` übergibst du die Kodierung:", "Übergib in `a.py` die Kodierung:", "Behandle den Fehler in `load` (`a.py`):", "Füge in `load` in `a.py` eine Prüfung hinzu:",
  "Ergänze `load` in `a.py` um eine Prüfung:", "Hier ist die geänderte Funktion `load` in `a.py`:", "Hier die korrigierte Version von `load` in `a.py`:", "Hier ist der korrigierte Code für `a.py`:",
  "So sollte `load` in `a.py` aussehen:", "So sieht `load` in `a.py` danach aus:", "Die Funktion `load` in `a.py` sollte einen Fehler werfen:", "Du musst `load` in `a.py` ändern:", "Du kannst `load` in `a.py` vereinfachen:",
  "Ich würde `load` in `a.py` so schreiben:", "Ich habe `load` in `a.py` angepasst:", "Schreibe `load` in `a.py` um:", "Korrigiere `load` in `a.py`:", "Verbessere `load` in `a.py`:", "Aktualisiere `load` in `a.py`:",
  "Benutze in `load` (`a.py`) die Kodierung:", "Verwende in `a.py` die Kodierung:", "Setze in `a.py` die Kodierung:", "Die Änderung in `a.py`:", "Änderung in `a.py`:", "Änderungen an `a.py`:", "Geänderte Funktion in `a.py`:",
  "Neue Version von `load` in `a.py`:", "Um den Fehler zu beheben, ändere `load` in `a.py`:", "Damit das funktioniert, ändere `load` in `a.py`:", "Modifiez `load` dans `a.py` :",
  "Modifie `load` dans `a.py` pour lever une erreur :", "Remplacez `load` dans `a.py` par :", "Remplacez la fonction `load` de `a.py` par celle-ci :", "Dans `a.py`, modifiez `load` :", "Dans `a.py`, passez l'encodage :",
  "Dans `a.py` :", "Et dans `a.py` :", "Mettez à jour `load` dans `a.py` :", "Corrigez `load` dans `a.py` :", "Voici `load` corrigée (`a.py`) :", "Voici la fonction `load` corrigée dans `a.py` :",
  "Voici la nouvelle version de `load` dans `a.py` :", "Il faut modifier `load` dans `a.py` :", "Vous devez modifier `load` dans `a.py` :", "Vous pouvez simplifier `load` dans `a.py` :",
  "La fonction `load` dans `a.py` devient :", "`load` dans `a.py` devient :", "Ajoutez une vérification à `load` dans `a.py` :", "Pour corriger l'erreur, modifiez `load` dans `a.py` :", "Modifica `load` en `a.py`:",
  "Modifica la función `load` en `a.py`:", "Cambia `load` en `a.py` para lanzar un error:", "Reemplaza `load` en `a.py` por:", "En `a.py`, cambia `load`:", "En `a.py`:", "Actualiza `load` en `a.py`:", "Corrige `load` en `a.py`:",
  "Aquí está `load` corregida (`a.py`):", "Aquí tienes la función corregida (`a.py`):", "La función `load` en `a.py` queda así:", "Hay que cambiar `load` en `a.py`:", "Añade una comprobación a `load` en `a.py`:",
  "Altere `load` em `a.py`:", "Atualize `load` em `a.py`:", "Substitua `load` em `a.py` por:", "Em `a.py`, altere `load`:", "A função `load` em `a.py` fica assim:", "Aqui está a função corrigida (`a.py`):",
  "Modifica `load` in `a.py`:", "Sostituisci `load` in `a.py` con:", "In `a.py`, modifica `load`:", "Ecco la funzione corretta (`a.py`):", "Aggiorna `load` in `a.py`:", "修改 `a.py` 中的 `load` 函数：", "将 `a.py` 中的 `load` 改为：",
  "把 `a.py` 里的 `load` 改成：", "在 `a.py` 中修改 `load`：", "在 `a.py` 中更新 `load`：", "更新 `a.py` 中的 `load`：", "替换 `a.py` 中的 `load`：", "修改后的 `load`（`a.py`）：", "下面是修改后的 `a.py`：", "这是更新后的 `load`（`a.py`）：", "`a.py` 中的 `load` 应该改为：",
  "`a.py` の `load` を変更します：", "`a.py` の `load` を次のように変更してください：", "`a.py` を修正します：", "修正後の `load`（`a.py`）：", "Измените `load` в `a.py`:", "Замените `load` в `a.py` на:", "В `a.py` измените `load`:", "Обновите `load` в `a.py`:",
  "Исправьте `load` в `a.py`:", "Вот исправленная функция `load` (`a.py`):", "Zmień `load` w `a.py`:", "Wijzig `load` in `a.py`:", "Ändra `load` i `a.py`:", "`a.py`의 `load`를 수정하세요:",
  "`a.py` dosyasındaki `load` fonksiyonunu güncelleyin:",
];
const TOLD: readonly string[] = [
  "Im Moment sieht `load` in `a.py` so aus:", "Derzeit steht in `a.py`:", "Aktuell sieht `load` in `a.py` so aus:", "Die aktuelle Version von `load` in `a.py`:", "So sah `load` in `a.py` vorher aus:",
  "Vorher sah `load` in `a.py` so aus:", "Die alte Funktion `load` in `a.py`:", "Der Fehler liegt in `load` in `a.py`:", "Das Problem ist `load` in `a.py`:", "Das Problem in `a.py`:", "`load` in `a.py` liest die Datei:",
  "`load` in `a.py` wirft einen Fehler:", "So rufst du `load` aus `a.py` auf:", "Du kannst `load` aus `a.py` jetzt so aufrufen:", "Zum Testen von `a.py`:", "Die Ausgabe von `a.py`:", "Ein Beispiel für `load` in `a.py`:",
  "Ändere `load` in `a.py` nicht so:", "Schreibe `load` in `a.py` nicht so:", "Vermeide in `a.py` so etwas:", "Falls du `load` in `a.py` änderst:", "Man könnte `load` in `a.py` auch so schreiben:",
  "Actuellement, `load` dans `a.py` :", "Le problème dans `a.py` :", "L'erreur vient de `load` dans `a.py` :", "Ne modifiez pas `load` dans `a.py` comme ceci :", "`load` dans `a.py` lit le fichier :",
  "Voici le code actuel de `a.py` :", "Voici l'ancienne version de `load` dans `a.py` :", "Voici comment appeler `load` de `a.py` :", "Pour tester `load` de `a.py` :", "Actualmente `load` en `a.py`:", "El problema en `a.py`:",
  "El error está en `load` en `a.py`:", "No cambies `load` en `a.py` así:", "`load` en `a.py` lee el archivo:", "La versión anterior de `load` en `a.py`:", "Así se llama a `load` de `a.py`:", "目前 `a.py` 中的 `load`：",
  "原来的 `load`（`a.py`）：", "问题出在 `a.py` 的 `load`：", "不要这样修改 `a.py` 中的 `load`：", "`a.py` 的输出：", "例如，`a.py` 中的 `load`：", "現在の `load`（`a.py`）：", "Сейчас `load` в `a.py`:", "Проблема в `load` (`a.py`):", "Старый `load` в `a.py`:",
];

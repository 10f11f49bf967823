/** Vocabulary of placeholders by language. The kinds of words in a line determine its meaning. */
import { once } from "../core/once.ts";

/** Words, separated by spaces. */
interface Words {
  /** Say that something is unchanged or omitted. */
  readonly claims: string;
  /** Say that something stays as it was. */
  readonly keeping: string;
  readonly rest: string;
  /** Mean existing content, without saying that it is the rest. */
  readonly whole: string;
  readonly part: string;
  readonly code: string;
  /** What code consists of. */
  readonly nouns: string;
  /** Say that something belongs at this line. */
  readonly here: string;
  /** Words allowed between the others. */
  readonly more: string;
  /** Fixed phrases such as `as is`. */
  readonly phrases?: Readonly<Partial<Record<Kind, readonly string[]>>>;
  readonly isUnspaced?: true;
}

export type Kind = "claims" | "keeping" | "rest" | "whole" | "part" | "code" | "nouns" | "here" | "more";

export interface Vocabulary {
  /** The kind of each word or phrase. The rest also counts as a whole. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Separator between words; "" in a language written without spaces. */
  readonly glue: " " | "";
  /** Number of words in the longest phrase starting with a word. Letters in a language written without spaces. */
  readonly longestFrom: ReadonlyMap<string, number>;
}

const WORDS: readonly Words[] = [
  {
    claims: "unchanged omitted truncated snip snipped elided brevity unmodified untouched",
    keeping: "same remains remain stays stay",
    rest: "rest remaining remainder etc",
    whole: "existing everything",
    part: "previous original other more keep",
    code: "code file implementation content contents",
    nouns:
      "logic body fields rules declarations handlers elements interfaces cases checks settings data values parameters dependencies rows items entries page chapter chapters line lines",
    here: "here",
    more: "the of your my our this that these those all any some is are was were goes go in as it for not shown exact exactly below above before after from to and or with no changes change left kept clarity current currently still up else todo note",
    phrases: {
      claims: ["remains the same", "remain the same", "stays the same", "stay the same"],
      keeping: ["as is", "as before", "as they are", "as they were", "as it is", "as it was", "no changes", "no change"],
      rest: ["and so on", "and so forth"],
      more: ["below this line", "above this line", "from here on"],
    },
  },
  {
    claims:
      "unverändert unveränderte unveränderter unverändertes unveränderten unveraendert ausgelassen weggelassen gekürzt ausgeblendet kürze übersichtlichkeit",
    keeping: "bleibt bleiben gleich identisch bisher zuvor vorher",
    rest: "rest restliche restlicher restliches restlichen übrige übriger übriges übrigen verbleibende verbleibender verbleibenden",
    whole:
      "bestehender bestehende bestehendes bestehenden vorhandener vorhandene vorhandenes vorhandenen existierender existierende existierenden alles",
    part: "vorherige vorheriger vorherigen ursprünglicher ursprüngliche ursprünglichen andere anderer anderen weitere weiterer weiteren",
    code: "code codes quellcode quelltext datei implementierung inhalt dateiinhalt",
    nouns:
      "funktion funktionen methode methoden klasse klassen importe zeile zeilen logik felder eigenschaften stile regeln abschnitt abschnitte konfiguration komponente komponenten definitionen variablen routen typen konstanten",
    here: "hier",
    more: "der die das des dem den dieser diese dieses ist sind wird werden wurde und wie oben unten folgt folgen kommt kommen steht im in auch halber aus gründen zur von",
    phrases: { keeping: ["wie gehabt", "keine änderung", "keine änderungen"], more: ["ab hier"] },
  },
  {
    claims: "inchangé inchangée inchangés inchangées inchange omis omise omises tronqué brièveté concision",
    keeping: "même mêmes identique identiques demeure avant",
    rest: "reste restant restante restants restantes",
    whole: "existant existante existants existantes tout",
    part: "précédent précédente précédents précédentes autre autres suite",
    code: "code fichier implémentation contenu",
    nouns:
      "fonction fonctions méthode méthodes classe lignes logique champs propriétés règles composant composants définitions déclarations",
    here: "ici",
    more: "le la les l du de des d ce cette ces votre est sont et comme dans au aux par pour à",
    phrases: {
      claims: ["sans changement", "sans changements", "sans modification", "sans modifications", "ne change pas"],
      keeping: ["tel quel", "telle quelle", "aucun changement", "aucune modification"],
    },
  },
  {
    claims: "inalterado inalterada inalterados omitido omitida omitidos omitidas brevedad",
    keeping: "permanece permanecen mantiene mantienen igual iguales mismo misma antes",
    rest: "resto restante restantes",
    whole: "existente existentes todo",
    part: "anterior anteriores otro otros otras demás",
    code: "código codigo archivo fichero implementación contenido",
    nouns:
      "función funciones método métodos clase clases importaciones líneas lógica campos propiedades pruebas estilos reglas sección secciones configuración componente componentes definiciones declaraciones rutas",
    here: "aquí",
    more: "el la los las lo del de tu su este esta queda sigue va es se como y en por",
    phrases: {
      claims: ["sin cambios", "sin cambio", "sin modificar", "sin modificaciones", "no cambia"],
      keeping: ["tal cual", "igual que antes"],
    },
  },
  {
    claims: "inalterado inalterada inalterados inalteradas omitido omitida omitidos brevidade",
    keeping: "permanece permanecem continua continuam mantém igual iguais mesmo mesma antes",
    rest: "resto restante restantes",
    whole: "existente existentes tudo",
    part: "anterior anteriores outro outros outras demais",
    code: "código codigo arquivo ficheiro implementação conteúdo",
    nouns:
      "função funções método métodos importações linhas lógica campos propriedades testes estilos regras seção seções configuração componente componentes definições declarações variáveis rotas",
    here: "aqui",
    more: "o a os as do da dos das de seu sua este esta fica vem é está se como e no na por",
    phrases: {
      claims: ["sem alterações", "sem alteração", "sem mudanças", "sem mudança", "sem modificações", "não muda"],
    },
  },
  {
    claims: "invariato invariata invariati invariate omesso omessa omessi omesse brevità",
    keeping: "rimane rimangono resta restano uguale uguali stesso stessa prima",
    rest: "resto restante restanti rimanente rimanenti",
    whole: "esistente esistenti tutto",
    part: "precedente precedenti altro altri altre",
    code: "codice file implementazione contenuto",
    nouns:
      "funzione funzioni metodo metodi classi importazioni righe logica campi proprietà stili regole sezione sezioni configurazione componente componenti definizioni dichiarazioni variabili",
    here: "qui",
    more: "il lo la i gli le l del dello della dei delle di tuo suo va è come e nel per",
    phrases: { claims: ["senza modifiche", "senza cambiamenti", "non cambia"] },
  },
  {
    claims: "ongewijzigd ongewijzigde onveranderd onveranderde weggelaten ingekort beknoptheid",
    keeping: "blijft blijven hetzelfde gelijk voorheen",
    rest: "rest resterende overige",
    whole: "bestaande alles",
    part: "vorige andere verdere oorspronkelijke",
    code: "code bestand implementatie inhoud",
    nouns:
      "functie functies methode methoden methodes klasse klassen regels logica velden eigenschappen stijlen sectie secties configuratie componenten definities variabelen",
    here: "hier",
    more: "de het van uw je jouw deze dit is zijn komt staat en zoals voor",
  },
  {
    claims:
      "niezmieniony niezmieniona niezmienione pominięto pominięty pominięta pominięte skrócono zwięzłości czytelności",
    keeping: "pozostaje pozostają wcześniej",
    rest: "reszta resztę pozostały pozostała pozostałe pozostałej",
    whole: "istniejący istniejąca istniejące istniejącego wszystko",
    part: "poprzedni poprzednia poprzednie inny inne",
    code: "kod kodu plik pliku implementacja implementacji zawartość zawartości",
    nouns:
      "funkcja funkcje funkcji metoda metody metod klasa klasy importy importów linie wiersze logika logiki pola właściwości testy reguły sekcja sekcje konfiguracja konfiguracji komponent komponenty definicje zmienne",
    here: "tu tutaj",
    more: "jest są jak i w na dla się powyżej poniżej",
    phrases: {
      claims: ["bez zmian", "nie zmienia się"],
      keeping: ["taki sam", "taka sama", "takie same", "takie samo", "tak samo"],
    },
  },
  {
    claims: "опущено опущен опущена опущены пропущено пропущен сокращено краткости",
    keeping: "остаётся остается остаются прежним прежней прежними раньше",
    rest: "остальной остальная остальное остальные остальных остаток оставшийся оставшаяся оставшееся оставшиеся",
    whole: "существующий существующая существующее существующие существующего весь всё",
    part: "предыдущий предыдущие предыдущая другие прочий прочие",
    code: "код кода файл файла реализация реализации содержимое содержимого",
    nouns:
      "функция функции функций метод методы методов класс классы импорты строки логика логики поля свойства тесты стили правила раздел конфигурация компонент компоненты определения переменные",
    here: "здесь тут",
    more: "идёт идет ваш и как было выше ниже в на для",
    phrases: {
      claims: ["без изменений", "не изменился", "не изменилась", "не изменяется", "не изменяются", "не меняется"],
      keeping: ["тот же", "то же", "та же", "такой же"],
    },
  },
  {
    claims: "保持不变 保持不變 不变 不變 未更改 未修改 未改动 未變更 无变化 無變化 无需修改 省略 已省略 略",
    keeping: "保持原样 保持原樣 保持一致 保持 原样 原樣 相同 同上 不改 一样",
    rest: "其余 其餘 剩余 剩餘 剩下 余下",
    whole: "现有 現有 原有 已有 原来 原來",
    part: "其他 其它 之前 前面 以前 更多",
    code: "代码 代碼 程式碼 程式 源码 文件 檔案 实现 實現 内容 內容",
    nouns: "函数 函數 方法 类 類 导入 匯入 行 逻辑 邏輯 字段 属性 屬性 测试 測試 样式 樣式 规则 規則 配置 组件 元件 定义 定義 变量 變數 路由 部分",
    here: "这里 這裡 此处 此處",
    more: "的 在 你 您 和 与 與 保留 均 都 处 了",
    isUnspaced: true,
  },
  {
    claims: "変更なし 変更無し 変更はありません 変更ありません 変わりません 変わらず 未変更 省略 中略 後略 略",
    keeping: "同じ そのまま 同様 同一",
    rest: "残り 以下 以降",
    whole: "既存 すべて 全て",
    part: "その他 ほか 他 以前 元",
    code: "コード ファイル 実装 内容 処理",
    nouns: "関数 メソッド クラス インポート 行 ロジック フィールド プロパティ テスト スタイル ルール 設定 コンポーネント 定義 変数 部分",
    here: "ここ",
    more: "の は が を と に で も です する します しています されます した 続く 続きます",
    isUnspaced: true,
  },
  {
    claims: "변경없음 변경되지않음 변경사항없음 변경없이 수정없음 생략 생략됨",
    keeping: "동일 그대로 유지 같음 같습니다",
    rest: "나머지",
    whole: "기존 모든",
    part: "이전 다른 기타",
    code: "코드 파일 구현 내용",
    nouns: "함수 메서드 메소드 클래스 임포트 줄 로직 필드 속성 테스트 스타일 규칙 설정 컴포넌트 정의 변수 부분",
    here: "여기 여기에",
    more: "는 은 의 를 을 가 이 도 와 과 들 위 됨 함 됩니다 합니다 입니다 로",
    isUnspaced: true,
  },
];

/** Nouns of code, which are used in every language. */
const NOUNS =
  "function functions method methods class classes import imports props properties tests test styles section sections config configuration document text script scripts module component " +
  "template templates definitions variables routes html css jsx markup types constants helpers hooks state setup options exports";

function vocabularyOf(words: Words): Vocabulary {
  const { isUnspaced = false, phrases = {} } = words;
  const glue = isUnspaced ? "" : " ";
  const kinds = new Map<string, Kind>(NOUNS.split(" ").map((noun) => [noun, "nouns"]));
  for (const kind of ["more", "here", "nouns", "code", "part", "whole", "rest", "keeping", "claims"] as const) {
    for (const word of [...words[kind].split(" "), ...(phrases[kind] ?? [])]) kinds.set(word, kind);
  }
  const longestFrom = new Map<string, number>();
  for (const phrase of kinds.keys()) {
    const [first = "", ...others] = isUnspaced ? phrase : phrase.split(" ");
    longestFrom.set(first, Math.max(longestFrom.get(first) ?? 0, 1 + others.length));
  }
  return { kinds, glue, longestFrom };
}

export const vocabularies: () => readonly Vocabulary[] = once(() => WORDS.map(vocabularyOf));

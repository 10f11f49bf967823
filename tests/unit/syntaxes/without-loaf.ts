/** Texts from other sources, with everything that slightly resembles a block. */
export const withoutLoaf: Readonly<Record<string, string>> = {
  prose: `First do this ---> then that. <--- note the arrow. See <<<the section>>> below.

1. Write the file.
   <---WRITE file="a.txt"---> is how CSL says it, \`#!nesl\` how NESL begins.
2. <<<FILE>>> is a marker of the replacer.

#!nesl
#!end_k7m
#!SHAM`,
  "a diff": `diff --git a/a.js b/a.js
index 83db48f..bf2a1c4 100644
--- a/a.js
+++ b/a.js
@@ -1,3 +1,3 @@
-<---WRITE file="a"--->
+<---RUN--->
 #!shell
--- old
-<<<FILE>>>
+<<<END>>>
`,
  "git conflict markers": `<<<<<<< HEAD
one
||||||| base
zero
=======
two
>>>>>>> branch
`,
  "aider's blocks": `src/app.js
\`\`\`js
<<<<<<< SEARCH
const port = 3000;
=======
const port = 8080;
>>>>>>> REPLACE
\`\`\`
`,
  "a Codex patch": `*** Begin Patch
*** Update File: src/app.js
@@ function start()
-  listen(3000);
+  listen(8080);
*** End Patch
`,
  HTML: `<!DOCTYPE html>
<!--- a comment with three dashes --->
<!---->
<script>if (a <!--b) {}</script>
<a href="x">&lt;---WRITE--->&gt;</a>
<<<div>>>
`,
  shell: `#!/bin/sh
#!nesl
cat <<<"$x" <<'EOT_abc'
content
EOT_abc
grep x <<<'FILE'
`,
  Python: `#!/usr/bin/env python3
x = 1 <--1
def f() -> int:
    """<---RUN--->"""
    return 1 << 3
`,
  JavaScript: `let x = a <-- b; // <---SEARCH
for (let i = 10; i --> 0; ) f(\`
  <---TASKS--->\`);
`,
  C: `while (n --> 0) x <<= 1;
#include <stdio.h>
#if a <<FILE>> b
`,
  CUDA: `kernel<<<grid, block>>>(x);
<<<1, 1>>>
`,
  PHP: `<?php
$x = <<<FILE
text
FILE;
$y = <<<'END'
END;
`,
  Haskell: `main = do
  line <- getLine
  mapM_ print <$> x <---> y
`,
  R: `x <- 1
y <<- 2
f <--- 3
`,
  Rust: `#![allow(dead_code)]
#!/bin/run
fn f() -> u8 { 1 << 2 }
`,
  Go: `ch <- 1
v := <-ch // <---
`,
  Perl: `#!/usr/bin/perl
print <<EOT;
<<<>>>
EOT
while (<<>>) {}
`,
  Markdown: `# Title
---
<!--- hidden --->
| a | <--- |
--- | ---
~~~ <<<FILE>>>
~~~
`,
  mail: `> <<<FILE>>>
> <---WRITE file="a"--->
>> #!nesl [@three-char-SHA-256: k7m]
-- \nAnn
`,
};

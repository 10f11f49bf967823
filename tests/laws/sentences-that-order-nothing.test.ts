/** Law of sentences about old, broken, somebody else's or untouched code, output and use: code below them is no edit. */
import { expect, test } from "vitest";
import { loadStructure } from "../../src/addresses/structure.ts";
import { answered } from "./answered.ts";

const FILE = "import os\n\n\ndef login(user, password):\n    row = find(user)\n    return check(row, password)\n\n\ndef logout(user):\n    drop(user)\n";
const CODE = "```python\ndef login(user, password):\n    row = db.query(\"select * from users where name = \" + user)\n    return row\n```\n";

test("none of them makes an edit of the code below it", async () => {
  await loadStructure("a.py");
  for (const sentence of SENTENCES.trim().split("\n"))
    expect(await answered("a.py", FILE, `${sentence}\n\n${CODE}`), sentence).toBe(FILE);
});

/** Openings like those of an edit: manners, suppositions, what is missing elsewhere, what others do. */
const LIKE_ORDERS = [
  "This is how `login` in `a.py` fails:", "This is how `login` in `a.py` was called:", "This is how Django would write `login` in `a.py`:", "This is how I'd attack `login` in `a.py`:",
  "This is how I'd test `login` in `a.py`:", "Here's how you can use `login` from `a.py`:", "Here's how you can call `login` in `a.py`:", "Here's how you can test `a.py`:",
  "Here's how I'd call `login` in `a.py`:", "Here's how `login` in `a.py` could look if you used an ORM:", "Here's how `login` in `a.py` could look in Django:", "Here's how `login` in `a.py` could fail:",
  "Here's how `login` in `a.py` could be abused:", "Here's what `login` in `a.py` could look like to an attacker:", "Here's how it would look without `a.py`:", "Here's how `a.py` would look after a bad merge:",
  "Below is the output of `a.py`:", "Below is the current `login` from `a.py`:", "Below is the old `login` in `a.py`:", "Below is what `a.py` prints:",
  "Below is why `login` in `a.py` fails:", "Below is an example of how to call `login` in `a.py`:", "Below is the original version of `a.py`:", "Below is the code from `a.py` that fails:",
  "Below is a naive `login` in `a.py`:", "There's a bug in `login` (`a.py`):", "There is a problem in `login` in `a.py`:", "There's a missing file in `a.py`?",
  "There's nothing missing in `login` in `a.py`:", "There's a similar function in `a.py`:", "There's an old version of `login` in `a.py`:", "There was a missing check in `login` (`a.py`):",
  "There is no missing check in `login` (`a.py`):", "If there's a missing check in `login` (`a.py`):", "Someone says there's a missing check in `login` (`a.py`):", "`login` in `a.py` is missing on main:",
  "`login` in `a.py` lacks nothing:", "I don't suggest the following change to `login` in `a.py`:", "I wouldn't suggest the following change to `login` in `a.py`:", "They suggest the following change to `login` in `a.py`:",
  "I suggest the following test of `login` in `a.py`?", "I suggest reading the following in `a.py`:", "I suggest you look at `login` in `a.py`:", "I suggest running this against `a.py`:",
  "Your `login` function (`a.py`) would look like this:", "Your `login` function (`a.py`) looked like this:", "Your `login` function (`a.py`) then looked like this:", "The attacker's `login` (`a.py`) would then look like this:",
  "The request to `login` in `a.py` would then look like this:", "The output of `login` in `a.py` would then look like this:", "You'll want to keep `login` in `a.py`:", "You'll want to look at `login` in `a.py`:",
  "You might want to read `login` in `a.py`:", "You'll want to run this against `a.py`:", "You'll want to check `login` in `a.py`:", "You'll want to test `login` in `a.py`:",
  "You may want to compare `login` in `a.py` with this:", "You won't want to change `login` in `a.py` to this:", "You don't want to change `login` in `a.py` to something like this:", "I wouldn't change `login` in `a.py` to something like this:",
  "Never change `login` in `a.py` to something like this:", "`a.py` prints something like this:", "In the tests, `login` of `a.py` is mocked with something like this:", "In a REPL with `a.py`, call it:",
  "From another module than `a.py`, call it:", "To try `a.py`, call it:", "Don't return `None` instead of `row` in `a.py`:", "Python would return `None` instead of `row` in `a.py`:",
  "`login` in `a.py` may return `None` instead of `row`:", "The old code in `a.py` would return `None` instead of `row`:", "Before you change `login` in `a.py`, a question: should it be like this?", "If yes, `login` in `a.py` stays like this:",
  "If not, it'd become this in `a.py`:", "If not, `login` in `a.py` would become:", "Otherwise it'd have to look like this in `a.py`:", "It'd mean this for `a.py`:",
  "Without the fix, `login` in `a.py` does this:", "The version of `a.py` that never fails:", "Your colleague's `login` in `a.py` isn't safe:", "The old `login` in `a.py` was too slow:",
  "`login` in `a.py` is outdated:", "`login` in `a.py` never checks its input:", "The function in `a.py` ignores errors:", "The function in `a.py` leaks:",
  "What `login` in `a.py` never does:",
  "After the decorator, here's how `login` in `a.py` will look:", "After the minifier has run, here's what `login` in `a.py` will look like:", "An attacker's view: here's what `login` in `a.py` would look like:", "As an illustration, here's how `login` in `a.py` could look:",
  "Below is a new exploit for `login` in `a.py`:", "Below is an improved example of how to call `login` in `a.py`:", "Below is the new behaviour of `login` in `a.py`:", "Below is the updated picture of what `login` in `a.py` does:",
  "Change `login` in `a.py`. The existing implementation ignores the password:", "For comparison, here's how `login` in `a.py` might look:", "For comparison, here's how `login` in `a.py` would look:", "Here's how I would change `login` in `a.py` for Postgres only:",
  "Here's how I would write `login` in `a.py` from scratch, for comparison:", "Here's how I'd fix `login` in `a.py` if it were mine:", "Here's how I'd write `login` in `a.py` if this were a script:", "Here's how I'd write `login` in `a.py` without an ORM:",
  "I don't recommend it, but here's how `login` in `a.py` would look:", "I recommend this alternative to `login` in `a.py`:", "I suggest the following test of `login` in `a.py`:", "I'd rewrite `login` in `a.py`. The query as written is vulnerable:",
  "If you used raw SQL, here's how `login` in `a.py` would look:", "In `a.py` call it before anything else:", "In `a.py`, call it like so:", "In `a.py`, call it this way:",
  "In `a.py`, call it with the user name:", "In a naive implementation, here's how `login` in `a.py` might look:", "In version 1, here's what `login` in `a.py` would look like:", "Not recommended, but here's how `login` in `a.py` would look:",
  "Replace `login` in `a.py`. The old code was insecure:", "Rewrite `login` in `a.py`. Most tutorials ignore this and their code is insecure:", "Rewrite `login` in `a.py`. The current one never checks the password:", "Suppose you skip the ORM; here's how `login` in `a.py` would look:",
  "The `login` function in `a.py` is missing a password check:", "There are two leaks in `a.py`. Neither connection is closed, the code never does it:", "There is a bug in `a.py`. The row is never checked:", "There is a problem in `a.py`. The query is unsafe:",
  "There is a security hole in `a.py`. The current query is not escaped:", "There's a bug in `a.py`. Your `login` does not check the password:", "There's a bug in `login` in `a.py`. The password is never checked:", "There's a race condition in `login` of `a.py`. The lock was never taken:",
  "To give you an idea, here's how `login` in `a.py` could look:", "Update `login` in `a.py`. The code you pasted is missing the check:", "Update `login` in `a.py`. The current version is too slow:", "Update `login` in `a.py`. The original lacks a check:",
  "Update `login` in `a.py`. The tutorial's code is deprecated:", "Update `login` in `a.py`. What you posted does not check the password:", "Update `login` in `a.py`. Your code was not checking the password:", "With SQLAlchemy, here's what `login` in `a.py` could look like:",
  "With raw SQL, here's how `login` in `a.py` would look:", "Without the check, here's how `login` in `a.py` would look:", "Without those changes, here's how `login` in `a.py` would look:", "You could turn `login` in `a.py` into something like this:",
  "You need to rewrite `login` in `a.py`. My first draft was too slow:", "You'll want to make sure `a.py` doesn't have this:", "You'll want to turn `login` in `a.py` off:", "`login` in `a.py` is missing a check:",
  "`login` in `a.py` lacks a check:",
];
/** Places, examples and changes that are none to be made. */
const LIKE_PLACES = [
  "In the original of `a.py`:", "In the old version of `a.py`:", "In the example in `a.py`:", "In the docs of `a.py`:", "In the output of `a.py`:", "In the log of `a.py`:", "In the error from `a.py`:", "This is `a.py` before the change:", "Here's the code you have in `a.py`:",
  "Here's an example of how to use `login` from `a.py`:", "Here's an example for `login` in `a.py`:", "Version 2 changes `login` in `a.py` to:", "The change in `a.py` broke it:", "The change that broke `a.py`:", "The fix in `a.py` did not work:", "The fix in upstream's `a.py`:",
  "Let me show you the bad version of `login` in `a.py`:", "Replace this bad code in `a.py`:", "Change `login` in `a.py`, which looks like this:", "Change `login` in `a.py`, which currently raises an error:", "Many people update `login` in `a.py` the wrong way:",
  "A common mistake is to change `login` in `a.py` like this:", "Update `login` in `a.py` so that it prints:", "Change `login` in `a.py` so you can call it like this:", "This can be reproduced by changing `login` in `a.py`:", "This was caused by changing `login` in `a.py`:",
  "`login` in `a.py` raises an error:", "The compiler shows an error for `login` in `a.py`:", "Users of `login` in `a.py` see an error message:", "Once that's done, run `login` in `a.py`:",
];
/** What shows a fault, is tried, goes somewhere, or only counts: openings like those of a row of changes. */
const LIKE_OPENINGS = [
  "Here's a minimal reproduction of the bug in `a.py`:", "A minimal example that shows the problem in `a.py`:", "Minimal repro for `login` in `a.py`:", "This is a reduced test case for the bug in `a.py`:", "The smallest program that triggers it in `a.py`:", "A stripped-down `login` from `a.py`:",
  "A self-contained example of the crash in `a.py`:", "To test it, change `login` in `a.py` to this:", "To test this locally, change `login` in `a.py`:", "To test whether it helps, replace `login` in `a.py`:", "To test `login` in `a.py`, call it with a bad name:", "To test with a broken database, change `login` in `a.py`:",
  "To test the theory, put this in `a.py`:", "To debug it, change `login` in `a.py`:", "To see the problem, change `login` in `a.py`:", "To reproduce it, change `login` in `a.py` like this:", "Two problems in `a.py`:", "Two bugs in `a.py`:",
  "Two things in `a.py` look odd:", "Two things to know about `a.py`:", "Two lines in `a.py` cause this:", "Two changes in `a.py` broke it:", "Two changes were made in `a.py` upstream:", "Two changes in `a.py` that didn't help:",
  "Two changes in `a.py` I wouldn't make:", "One change in `a.py` would break it:", "One small mistake in `a.py`:", "One thing in `a.py` is odd:", "You need to know two things about `a.py`:", "You should look at two things in `a.py`:",
  "You don't need to change anything in `a.py`:", "You changed two things in `a.py`:", "They changed two things in `a.py`:", "I see two things in `a.py`:", "There are two things in `a.py`:", "The struct in `a.py` was:",
  "The function itself is fine in `a.py`:", "The password goes to `a.py`:", "The request goes to `login` in `a.py`:", "The call goes to `login` in `a.py`:", "The data goes into `login` in `a.py`:", "The error goes to `a.py`:",
  "The user name goes in `a.py`:", "The traceback goes through `a.py`:", "The test in `a.py` fails:", "Test it with `a.py`:", "Test it against `a.py`:", "Test it in a REPL with `a.py`:",
  "Test it like this with `a.py`:", "Test `login` in `a.py` like so:", "And a look at `login` in `a.py`:", "And a warning from `a.py`:", "And an example call of `login` in `a.py`:", "And the output of `a.py`:",
  "First the output of `a.py`:", "First, a word about `login` in `a.py`:", "First, the problem in `a.py`:", "First, the current state of `a.py`:", "First the old `login` in `a.py`:", "`login` in `a.py` was reduced to this in version 2:",
  "`login` in `a.py` would boil down to this:", "`a.py` is just this at the moment:", "Without it `a.py` boils down to:", "`db.query` comes from the ORM that `a.py` uses:", "`login` in `a.py` only checks the name, so this breaks:", "`login` in `a.py` comes from Flask:",
  "❌ Wrong, in `a.py`:", "Not like this in `a.py`:", "In `a.py`, after the framework's call:", "In `a.py`, before the user's request is handled, this runs:", "What happens in `a.py` boils down to:", "You wrote two things in `a.py`:",
  "Two places in `a.py` call it like this:", "Two places in `a.py` do this:", "The two places in `a.py` that fail:", "Simplified, `a.py` boils down to:",
];
/** Behind a sentence about the file, one that tells what is wrong with code, or how something is done. */
const PARAGRAPHS = [
  "Open `a.py`. The old check was too slow:", "Look at `a.py`. The function never checks its input:", "I looked at `a.py`. The function never checks its input:",
  "Update `a.py`. You currently have:", "Update `a.py`. It never prints this:", "Update `a.py`. Then it prints:",
  "Update `a.py`. If it isn't there, you get:", "Don't change `a.py`. The old check was too slow:", "You don't need to change `a.py`. The check isn't slow:",
  "Upstream changed `a.py`. The old check was too slow:", "I wouldn't change `a.py`. Both values are outdated:", "Should I change `a.py`? The old check was too slow:",
  "If you change `a.py`, tell me. The old check was too slow:", "There's a bug in `a.py`. It looks like this:", "There's a bug in `a.py`. The function currently never checks its input:",
  "There's a bug in `a.py`. The culprit is:", "There was a bug in `a.py`. The function never checked its input:", "There's no bug in `a.py`. The function never checks its input:",
  "There might be a bug in `a.py`. The function never checks its input:", "There's a bug in `a.py`. You get this:", "There's a bug in `a.py`. The output isn't right:",
  "You can test `login` in `a.py`. Here's how:", "To call `login` in `a.py`, pass a user. Here's how you can do it:", "I ran `a.py`. Here's how to do it:",
  "You could attack `login` in `a.py`. Here's how:", "Run `a.py`. Here's how:", "Don't change `a.py`. Here's how to do it:",
  "You need to understand `login` in `a.py`. Here's how it works:", "Update `a.py`. Here's how it works:", "Update `a.py`. Here's how to call it:",
  "Update `a.py`. Here's how you can use it:", "Update `a.py`. Here's how you can test it:", "Update `a.py`. Don't do this:",
  "Update `a.py`. Never write:", "Before I change anything in `a.py`, a question: should it log? If yes, it stays like this:", "Before I change anything in `a.py`, a question: should it log? If not, it'd become:",
  "Before I change anything in `a.py`, a question. If not, it would become:", "Update `a.py` later. Today it isn't fast, which looks like this:", "Would you update `a.py`? It isn't safe:",
  "If it is slow, update `a.py`. The check isn't fast:", "Nobody should change `a.py`. The check is old:", "You could also change `a.py`. The check is old:",
  "Optionally, update `a.py`. The check is old:",
];

test.each([...LIKE_ORDERS, ...LIKE_PLACES, ...LIKE_OPENINGS, ...PARAGRAPHS])("%s: the code below it is no edit", async (sentence) => {
  await loadStructure("a.py");
  expect(await answered("a.py", FILE, `${sentence}\n\n${CODE}`)).toBe(FILE);
});

/** `OLD` and `NEW` are code spans of which the second one is not to take the place of the first one. */
const SPANS = [
  "In `a.py`, you could change OLD to NEW, but I wouldn't.", "In `a.py`, you could change OLD to NEW, but I would not.", "In `a.py`, there's no need to change OLD to NEW.",
  "You needn't change OLD to NEW in `a.py`.", "It isn't necessary to change OLD to NEW in `a.py`.", "In `a.py`, change OLD to NEW only if you expect overflow; otherwise leave it.",
  "In `a.py`, change OLD to NEW if it overflows.", "In `a.py`, I would never change OLD to NEW.", "You can change OLD to NEW in `a.py`, but it isn't necessary.",
  "In `a.py`, you could replace OLD with NEW, though I wouldn't.", "In `a.py`, there is no point in replacing OLD with NEW.", "There's no reason to change OLD to NEW in `a.py`.",
  "You won't have to change OLD to NEW in `a.py`.", "Before you change OLD to NEW in `a.py`, ask the team.", "Without changing OLD to NEW in `a.py` it works too.",
  "The upstream fix was to change OLD to NEW in `a.py`.", "In `a.py`, change OLD to NEW once 2.0 is out.", "In `a.py`, change OLD to NEW (only when testing).",
  "In `a.py` it makes no sense to change OLD to NEW.", "You can't simply change OLD to NEW in `a.py`.", "- change OLD to NEW in `a.py` only if you expect overflow; otherwise leave it.",
  "In `a.py`, nobody needs to change OLD to NEW.", "In `a.py`, we could change OLD to NEW, but that's not worth it.", "In `a.py`, I thought about changing OLD to NEW.",
  "In `a.py`, you may change OLD to NEW, but I'd rather not.",
];
test.each(SPANS)("%s: no code span takes the place of another", async (sentence) => {
  await loadStructure("a.py");
  const words = sentence.replace("OLD", "`row = find(user)`").replace("NEW", "`row = get(user)`");
  for (const answer of [words, `**a.py**\n\n- ${words}`]) expect(await answered("a.py", FILE, `${answer}\n`)).toBe(FILE);
});

const SENTENCES = `
Open \`a.py\`, where \`login\` currently looks like this:
Open \`a.py\`; \`login\` currently reads:
Open \`a.py\` and find the function that currently looks like this:
Find \`login\` in \`a.py\`, which currently looks like this:
Locate \`login\` in \`a.py\`; it currently looks like this:
Go to \`login\` in \`a.py\`, where the bug is:
Check \`login\` in \`a.py\`: it currently builds the query from strings:
Check \`a.py\`, where the problem is:
Keep in mind that \`login\` in \`a.py\` currently does this:
Bear in mind that \`a.py\` currently has this:
Leave \`login\` in \`a.py\`, which currently does this, for later:
Leave \`login\` in \`a.py\` alone, it is already correct:
Leave \`a.py\` as it is now:
Review \`login\` in \`a.py\`, which currently does this:
Inspect \`a.py\` to see what is wrong:
Study what \`a.py\` currently does:
Start from what \`a.py\` currently has:
Begin with \`a.py\`, which currently contains this:
Expect this error when \`a.py\` shows the following:
Ensure that \`a.py\` currently contains this before you go on:
Confirm that \`login\` in \`a.py\` currently looks like this:
Ask yourself what is wrong in \`a.py\`:
Guess what is wrong with \`login\` in \`a.py\`:
Spot the mistake in \`a.py\`:
Spot what is wrong in \`login\` of \`a.py\`:
Find the mistake in \`a.py\`:
Find what is wrong here in \`a.py\`:
Learn from this mistake in \`a.py\`:
Beware of this pitfall in \`a.py\`:
Watch out for this mistake in \`a.py\`:
Mind the anti-pattern in \`a.py\`:
Let's see what is wrong in \`a.py\`:
Let's look at what \`a.py\` currently does:
Let me show what \`a.py\` currently does:
Let's compare what \`a.py\` currently does with this:
Compare what \`a.py\` currently has:
Compare the wrong \`login\` in \`a.py\`:
Contrast it with the bad version in \`a.py\`:
Recap: \`login\` in \`a.py\` currently does this:
Thanks for sharing \`a.py\`, which currently looks like this:
Thank you for \`a.py\`; the bug is here:
Got it, so \`a.py\` currently looks like this:
OK, \`a.py\` currently has this:
Sure, the problem is in \`a.py\`:
So the bug is in \`login\` in \`a.py\`:
Your \`a.py\` currently looks like this:
Bug is in \`a.py\`:
Problem is this in \`a.py\`:
Line 4 of \`a.py\` currently shows this:
Code like this is bad, see \`a.py\`:
String concatenation in \`a.py\` is wrong:
Concatenation is bad, as in \`a.py\`:
Queries like this in \`a.py\` are bad:
Nothing is wrong with \`login\` in \`a.py\`:
Python returns this instead of raising in \`a.py\`:
Flask shows this when \`a.py\` runs:
Django does this instead of concatenating, unlike \`a.py\`:
Call \`login\` in \`a.py\` instead of \`find\`:
Call \`find\` in \`a.py\` instead of writing this:
Prefer parameters instead of this string in \`a.py\`:
Prefer this over what \`a.py\` currently does:
Stop doing this in \`a.py\`, it is bad:
Refrain from this bad habit in \`a.py\`:
Forget what \`a.py\` currently does:
Ignore what \`a.py\` currently contains:
Skip \`login\` in \`a.py\`, which is already correct:
Disregard the wrong \`login\` in \`a.py\`:
Reject code like this in \`a.py\`, because it is wrong:
Hope this shows what is wrong in \`a.py\`:
Please note that \`a.py\` currently contains:
Please confirm that \`a.py\` currently contains:
Please share \`a.py\`, if it currently differs from this:
Please check that \`a.py\` looks like this:
Double-check that \`a.py\` looks like this:
Make sure \`a.py\` looks like this:
Make sure that \`login\` in \`a.py\` currently looks like this:
Be aware that \`login\` in \`a.py\` currently does this:
Assuming \`a.py\` currently looks like this:
Based on \`a.py\`, which currently looks like this:
Given that \`a.py\` currently looks like this:
Understand first what \`a.py\` currently does:
Reproduce the bug with \`a.py\`, which shows this:
Paste this into a shell to see what \`a.py\` prints, something like this:
Write a test like this for \`a.py\`, something like this:
Log in and \`a.py\` shows this:
Open the page and \`a.py\` throws this error:
Enter a name and \`login\` in \`a.py\` gives this error:
Type \`login\` and \`a.py\` shows the following:
Send a quote and \`a.py\` returns:
Pass a quote to \`login\` in \`a.py\` and it returns:
Call \`login\` in \`a.py\` with a quote and it returns this:
Import \`a.py\` and it shows the following:
Execute \`a.py\` and it prints this:
Start the server and \`a.py\` gives this warning:
You should see what is wrong in \`a.py\`:
You need to know what \`a.py\` currently does:
You have to understand what \`login\` in \`a.py\` currently does:
You must never write this in \`a.py\`:
You should never write this in \`a.py\`:
You should never have this in \`a.py\`:
You shouldn't have this in \`a.py\`:
You must avoid this in \`a.py\`:
You should consider something like this in \`a.py\`:
You must have pasted the wrong \`a.py\`:
We should never concatenate in \`a.py\`:
You have to fix what is wrong in \`a.py\`:
I'd compare this with \`a.py\`:
I dropped this from \`a.py\`:
I'd guard against this in \`a.py\`:
I make a mistake in \`a.py\`:
I made a mistake in \`a.py\`:
I've made the bug in \`a.py\` visible:
I have applied nothing to \`a.py\`:
I've wrapped \`login\` in \`a.py\` in my head:
I've simplified \`a.py\` for the explanation:
I simplified \`login\` in \`a.py\` to show the idea:
I simplified \`login\` in \`a.py\` here for the explanation:
I've simplified \`login\` in \`a.py\` so that you see the bug:
\`login\` in \`a.py\` should never do this:
\`login\` in \`a.py\` must not look like this:
\`login\` in \`a.py\` should not look like this:
\`login\` in \`a.py\` should never look like this:
\`a.py\` should never contain this:
\`a.py\` must never have this:
\`a.py\` should currently contain this:
\`login\` in \`a.py\` should work, but currently it does this:
\`login\` in \`a.py\` should reject quotes, but it currently does this:
\`login\` in \`a.py\` should return None, but it returns:
\`login\` in \`a.py\` should reject this, but the bug is here:
\`login\` in \`a.py\` has to change because it currently looks like this:
\`login\` in \`a.py\` needs to change; the bug is here:
\`login\` in \`a.py\` must go because it is wrong:
\`login\` in \`a.py\` should raise an error instead of this:
\`login\` should escape its input, which \`a.py\` currently doesn't:
The \`login\` in \`a.py\` should hash, and the problem is this:
The \`login\` function in \`a.py\` must be fixed, it currently reads:
The \`login\` function must be rewritten, because \`a.py\` currently does this:
Here's how the old code in \`a.py\` should look:
Here's how the broken \`login\` in \`a.py\` should look:
Here's how the tutorial says \`a.py\` should look:
Here's how the code in \`a.py\` should never look:
Here's how the maintainers say it should look like in \`a.py\`:
Here's how the output of \`a.py\` should look:
Here's how the output should look in \`a.py\`:
Here's how the logs of \`a.py\` should look like:
Here's how the original \`login\` in \`a.py\` should look:
Here's what I'd never write in \`a.py\`:
Here's what I'd consider wrong in \`a.py\`:
Here's what you should see in \`a.py\`:
Here's what you should avoid in \`a.py\`:
Here's what you should have in \`a.py\` already:
Don't touch \`a.py\` – it already does this:
Don't change \`login\` in \`a.py\`, but note what it does:
Don't change \`a.py\`; read it:
Never do this – \`a.py\` has it:
Don't write it like this; the bug in \`a.py\`:
Avoid this in \`a.py\`; it currently breaks:
Don't do this in \`a.py\` – it is wrong:
Don't do this in \`a.py\`, but this is what I see a lot:
In \`a.py\` the code is wrong:
In \`a.py\` a user sees this:
In \`a.py\` a query is built like this:
In \`a.py\` the bug is obvious:
In \`a.py\` the function shows this:
In \`a.py\` we currently have this:
In \`a.py\` look for this:
Fix the bug that is caused by this in \`a.py\`:
Fix what is wrong in \`a.py\`:
Fix this mistake in \`a.py\`:
Fix the line in \`a.py\` that currently reads:
Fix the function in \`a.py\` that returns:
Replace what is currently in \`a.py\`:
Replace the code that currently looks like this in \`a.py\`:
Replace the function in \`a.py\` which looks like this:
Change the function that currently looks like this in \`a.py\`:
Change \`login\` in \`a.py\`, which currently looks like this:
Change \`login\` in \`a.py\`; at the moment it reads:
Update \`login\` in \`a.py\`, the one that currently looks like this:
Update the code in \`a.py\` that throws this error:
Remove this mistake from \`a.py\`:
Remove the bad code from \`a.py\`:
Remove the wrong function from \`a.py\`:
Delete what is currently in \`a.py\`:
Delete the part of \`a.py\` that looks like this:
Rewrite the bit of \`a.py\` that is wrong:
Refactor \`a.py\`, where the problem is this:
Rewrite \`login\` in \`a.py\`, which is wrong because of this:
Use this in \`a.py\` only to see what is wrong:
Use this instead of \`a.py\` if you need it:
Add a test for \`a.py\` that shows the bug, something like this:
Add \`a.py\` to git; it looks like this:
Move away from this bad code in \`a.py\`:
Set a breakpoint in \`a.py\`, where the bug is:
Put a print in \`a.py\` and it shows this:
Print the row in \`a.py\` and it shows the following:
Return to \`a.py\`, which currently looks like this:
Turn to \`login\` in \`a.py\`, which currently looks like this:
Turn \`a.py\` over in your mind: what is wrong:
Switch to \`a.py\`, which currently looks like this:
Give \`a.py\` a look; the problem is here:
Show me \`a.py\` if it doesn't currently look like this:
Copy \`a.py\` as it is now:
Restore \`login\` in \`a.py\` as it is now on main:
Revert \`login\` in \`a.py\` to what it currently is on main:
Save \`a.py\` as it is now:
Save a copy of \`login\` in \`a.py\` as it is now:
Back up \`login\` in \`a.py\`, as it is now:
Note how \`a.py\` does this instead of parameters:
No change to \`a.py\` needed:
Upstream changed \`login\` in \`a.py\`; no changes needed:
Trust \`login\` in \`a.py\`, which is already correct:
Good: \`login\` in \`a.py\` already correct:
Make no changes to \`a.py\`, since it is already correct:
Apply no changes needed in \`a.py\`:
Take \`login\` from \`a.py\`, which currently reads:
Trace it to \`a.py\`, where the culprit is:
Blame \`a.py\`: the culprit is this:
Scroll down in \`a.py\` until it looks like this:
Imagine a \`login\` in \`a.py\` that looks like this:
Picture \`a.py\` with something like this:
Cf. the wrong code in \`a.py\`:
Guilty: this in \`a.py\`, which is wrong:
Blindly doing this in \`a.py\` is wrong:
Sadly \`a.py\` currently does this:
Somewhere in \`a.py\` you currently have this:
Security scanners show this for \`a.py\`:
Semgrep shows the following for \`a.py\`:
Mypy shows this error for \`a.py\`:
Ruff gives this warning for \`a.py\`:
CI shows this error in \`a.py\`:
GitHub shows this as a problem in \`a.py\`:
Pytest shows this for \`a.py\`:
ChatGPT wrote this in \`a.py\`, which is wrong:
Copilot suggested this bad version of \`a.py\`:
Stack Overflow shows this for \`a.py\`:
`;

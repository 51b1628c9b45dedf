/** Colours of all pages, light and dark; text and background have a contrast of at least 4.5 (WCAG AA). */
export const PALETTE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7fb; --card: #ffffff; --line: #dfe1e8; --edge: #8a90a6; --text: #1b1d24; --soft: #565b6b;
  --accent: #3846c4; --accent-deep: #2b37a3; --on-accent: #ffffff; --code: #f1f2f7;
  --good: #11683c; --good-ground: #e2f5ea;
  --warn: #6b4700; --warn-ground: #fff4d9; --warn-line: #f0d48a;
  --bad: #a3182b; --bad-ground: #fdecee; --bad-line: #f2b8c0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12141a; --card: #1a1d26; --line: #313646; --edge: #7c8299; --text: #e9eaf0; --soft: #a6abbd;
    --accent: #a5b0ff; --accent-deep: #c3cbff; --on-accent: #12141a; --code: #10131a;
    --good: #8fe0b3; --good-ground: #163526;
    --warn: #f5d58c; --warn-ground: #33280e; --warn-line: #5c4a1d;
    --bad: #ffb0ba; --bad-ground: #3a181d; --bad-line: #6e2f38;
  }
}
`;

// Vitest runs this before each file of the family page's tests, as `src/family.tsx` does before it draws.
import '#kit/browser/jsx/changed-text.ts';

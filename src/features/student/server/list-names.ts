import { type Text, text, verbatim } from '#kit/contract/text.ts';

const mostNamed = 5;

/** Names within a message: the first five, and how many more. */
export const listNames = (names: readonly string[]): Text =>
  names.length > mostNamed
    ? text`${{ names: names.slice(0, mostNamed).join(', ') }} and ${{ count: names.length - mostNamed }} more`
    : verbatim(names.join(', '));

import { Fragment } from 'react';

/** An e-mail address or a dotted name that breaks, where it has to, at its signs instead of anywhere in a word. */
export const BreakableText = ({ text }: { text: string }) =>
  text.split(/(?=@)|(?<=[._-])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

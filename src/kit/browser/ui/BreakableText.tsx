import { Fragment } from 'react';

/** An email address or a dotted name that, where it has to, breaks at its punctuation instead of within a word. */
export const BreakableText = ({ text }: { text: string }) =>
  text.split(/(?=@)|(?<=[._-])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

import { type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Problem } from '#kit/browser/form/ErrorSummary.tsx';
import type { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';

interface PastWarning {
  /** The token of the warning that the user has seen. */
  warned: string;
  /** Marks the form that is sent again. */
  mark: RefObject<HTMLElement | null>;
  /** What depends on the days, with the button that changes them all the same. */
  elsewhere: (refused: AppError) => Problem[];
}

/** The question before days change on which other records depend. */
export function usePastWarning(): PastWarning {
  const [warned, setWarned] = useState('');
  const mark = useRef<HTMLElement>(null);
  return {
    warned,
    mark,
    elsewhere: ({ data }) => {
      const warning = data as { texts?: Text[]; token?: string } | undefined;
      const act = () => {
        flushSync(() => setWarned(warning?.token ?? ''));
        mark.current?.closest('form')?.requestSubmit();
      };
      return (warning?.texts ?? []).map((words, index, all) => ({
        text: words,
        ...(index === all.length - 1 && { actions: [{ label: text`Change the days anyway`, act }] }),
      }));
    },
  };
}

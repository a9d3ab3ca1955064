import { type RefObject, useRef } from 'react';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { AppError, unexpectedMessage } from '#kit/contract/errors.ts';
import { useFormEnd } from './use-form-end.ts';

/** Says the server's words about a row that was added or removed, and takes the reader to the heading below the list. */
export function useRowChanges(): {
  heading: RefObject<HTMLHeadingElement | null>;
  changed: (message: string) => void;
  remove: (act: () => Promise<{ message: string }>) => Promise<void>;
} {
  const toast = useToast();
  const { onRefused } = useFormEnd();
  const heading = useRef<HTMLHeadingElement>(null);
  const changed = (message: string) => {
    toast({ kind: 'success', title: translate(message) });
    heading.current?.focus();
  };
  const remove = async (act: () => Promise<{ message: string }>) => {
    try {
      changed((await act()).message);
    } catch (error) {
      const refused = error instanceof AppError ? error : new AppError('unexpected', unexpectedMessage);
      onRefused(refused);
      toast({ kind: 'warning', title: translate(refused.message) });
    }
  };
  return { heading, changed, remove };
}

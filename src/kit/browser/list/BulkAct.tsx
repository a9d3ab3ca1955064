import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Preview } from '#kit/browser/data/preview.tsx';
import { translate } from '#kit/browser/text.ts';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { BulkAnswer } from '#kit/contract/bulk.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import styles from './BulkAct.module.css';

interface Props<Operation extends Endpoint> {
  preview: Preview<Operation>;
  title: string;
  /** What the act does to the records it changes, after their number. */
  effect: (count: number) => ReactNode;
  confirm: ReactNode;
  /** What is shown before those that are skipped, such as the words of a message. */
  details?: ReactNode;
  /** The toast after the act, without its number: “Students changed”. Leave it out for a run, which has a dialog. */
  done?: string;
  onApplied?: (answer: BulkAnswer) => unknown;
}

/** The preview of an act on selected records: how many it changes, and which it skips, with the reason. */
export function BulkAct<Operation extends Endpoint>(props: Props<Operation>) {
  const { preview, title, effect, confirm, details, done, onApplied } = props;
  const { t } = useLingui();
  const toast = useToast();
  const answer = preview.shown?.answer as BulkAnswer | undefined;
  const { changed = 0, skipped = [], skippedCount = 0 } = answer ?? {};
  const further = skippedCount - skipped.length;
  return (
    <PreviewDialog
      preview={preview}
      title={title}
      confirm={confirm}
      details={
        (details || skippedCount > 0) && (
          <>
            {details}
            {skippedCount > 0 && (
              <p>
                <Plural value={skippedCount} one="# is skipped:" other="# are skipped:" />
              </p>
            )}
            <ul className={styles.skipped}>
              {skipped.map(({ id, name, reason }) => (
                <Stack line="above" as="li" key={id}>
                  <strong>{name}</strong> <span className="soft">{translate(reason)}</span>
                </Stack>
              ))}
              {further > 0 && (
                <Stack as="li" line="above" className="soft">
                  <Plural value={further} one="And # more" other="And # more" />
                </Stack>
              )}
            </ul>
          </>
        )
      }
      onApplied={async (applied) => {
        const told = applied as unknown as BulkAnswer;
        await onApplied?.(told);
        if (!done) return;
        const left = told.skippedCount;
        toast({
          kind: 'success',
          title: t`${done}: ${told.changed}.`,
          text: left > 0 ? plural(left, { one: '# was skipped.', other: '# were skipped.' }) : undefined,
        });
      }}
    >
      {changed > 0 ? effect(changed) : <Trans>Nothing can be done for the selected rows.</Trans>}
    </PreviewDialog>
  );
}

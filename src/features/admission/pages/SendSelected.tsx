import { Trans } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import type { inquiryApi } from '../contract/inquiry.ts';
import type { reviewApi } from '../contract/review.ts';
import { MessageText } from './MessageText.tsx';

interface Props {
  selection: Selection;
  clear: () => void;
  endpoint: typeof inquiryApi.sendMany | typeof inquiryApi.remindMany | typeof reviewApi.remindMany;
  label: ReactNode;
  title: string;
  effect: (count: number) => string;
}

/** Sends a message to the families of the selected inquiries, after a preview, and shows how far it is. */
export function SendSelected({ selection, clear, endpoint, label, title, effect }: Props) {
  const preview = usePreview(endpoint as typeof inquiryApi.sendMany);
  const [run, setRun] = useState<number>();
  const example = preview.shown?.answer.example;
  return (
    <>
      <Button onClick={() => void preview.show({ selection })}>{label}</Button>
      {preview.problem}
      <BulkAct
        preview={preview}
        title={title}
        effect={effect}
        confirm={<Trans>Send</Trans>}
        details={
          example && (
            <MessageText {...example}>
              <p className="soft">
                <Trans>As the family of {example.name} reads it</Trans>
              </p>
            </MessageText>
          )
        }
        onApplied={(answer) => setRun((answer as unknown as { runId: number | null }).runId ?? undefined)}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={title}
          onClose={() => {
            setRun(undefined);
            clear();
          }}
        />
      )}
    </>
  );
}

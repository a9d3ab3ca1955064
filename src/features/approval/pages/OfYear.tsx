import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { approvalApi } from '../contract/approval.ts';

type Kind = OutputOf<typeof approvalApi.ofYear>[number];

/** The kinds of requests that keep a year open, each with the act that returns all of them. */
export function OfYear({ yearId }: { yearId: number }) {
  const { data: kinds = [] } = useRead(approvalApi.ofYear, { yearId });
  const [returned, setReturned] = useState<Kind>();
  return (
    <>
      <Row gap={8} wrap mb={8}>
        {kinds.map((kind) => (
          <Button key={kind.kind} onClick={() => setReturned(kind)}>
            <ReturnWords kind={kind} />
          </Button>
        ))}
      </Row>
      {returned && <ReturnAll yearId={yearId} kind={returned} onClose={() => setReturned(undefined)} />}
    </>
  );
}

function ReturnWords({ kind: { requests, title } }: { kind: Kind }) {
  const name = translate(title);
  return <Plural value={requests} one={`Return # request: ${name}…`} other={`Return # requests: ${name}…`} />;
}

/** Returns all requests of a kind with one reason, after a preview. */
function ReturnAll({ yearId, kind, onClose }: { yearId: number; kind: Kind; onClose: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(approvalApi.returnOfYear);
  const words = translate(kind.title);
  const title = t`Return all requests: ${words}`;
  return (
    <SideDialog title={title} about={t`They are rejected, and the people who asked see the reason.`} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={approvalApi.returnOfYear}
            label={title}
            initial={{ remark: t`The year is being closed.` }}
            hiddenValues={{ yearId, kind: kind.kind }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <TextField name="remark" />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <BulkAct
            preview={preview}
            title={title}
            effect={(count) => <Plural value={count} one="# request is rejected." other="# requests are rejected." />}
            confirm={<Trans>Return all</Trans>}
            done={t`Requests returned`}
            onApplied={close}
          />
        </>
      )}
    </SideDialog>
  );
}

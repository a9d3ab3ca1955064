import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { manyApi } from '../contract/many.ts';

interface Props {
  selection: Selection;
  clear: () => void;
  mayPublish: boolean;
}

/** Closes and publishes selected homework. */
export function BulkActs({ selection, clear, mayPublish }: Props) {
  const { t } = useLingui();
  const close = usePreview(manyApi.closeMany);
  const publish = usePreview(manyApi.publishMany);
  return (
    <>
      {mayPublish && (
        <Button isBusy={publish.isBusy} onClick={() => void publish.show({ selection })}>
          <Trans>Publish</Trans>
        </Button>
      )}
      <Button isBusy={close.isBusy} onClick={() => void close.show({ selection })}>
        <Trans>Close</Trans>
      </Button>
      {!publish.shown && publish.problem}
      {!close.shown && close.problem}
      <BulkAct
        preview={publish}
        title={t`Publish drafts`}
        effect={(count) => <Plural value={count} one="# draft is published now." other="# drafts are published now." />}
        confirm={<Trans>Publish</Trans>}
        done={t`Drafts published`}
        onApplied={clear}
      />
      <ClosePreview preview={close} onApplied={clear} />
    </>
  );
}

/** Asks before homework is closed. */
function ClosePreview<Operation extends typeof manyApi.closeMany | typeof manyApi.closeYear>({
  preview,
  onApplied,
}: {
  preview: Preview<Operation>;
  onApplied?: () => void;
}) {
  const { t } = useLingui();
  return (
    <BulkAct
      preview={preview}
      title={t`Close homework`}
      effect={(count) => (
        <Plural
          value={count}
          one="# homework is closed. Students without a result are not counted."
          other="# pieces of homework are closed. Students without a result are not counted."
        />
      )}
      confirm={<Trans>Close</Trans>}
      done={t`Homework closed`}
      onApplied={onApplied}
    />
  );
}

/** Closes all published homework of a year that has ended, in one act. */
export function CloseOfYear({ year }: { year: { id: number; name: string } }) {
  const close = usePreview(manyApi.closeYear);
  return (
    <Row mb={8}>
      <Button isBusy={close.isBusy} onClick={() => void close.show({ yearId: year.id })}>
        <Trans>Close all homework of {year.name}…</Trans>
      </Button>
      {!close.shown && close.problem}
      <ClosePreview preview={close} />
    </Row>
  );
}

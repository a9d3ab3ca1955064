import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
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
      <BulkAct
        preview={close}
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
        onApplied={clear}
      />
    </>
  );
}

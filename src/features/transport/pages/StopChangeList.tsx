import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Text } from '#kit/contract/text.ts';
import type { ChangeState, StopChanges } from '../contract/stop-change.ts';
import { StopChangeForm } from './StopChangeForm.tsx';

const kinds: Record<ChangeState, ChipKind> = {
  Pending: 'warn',
  Upcoming: 'info',
  Applied: 'good',
  Rejected: 'bad',
  Withdrawn: 'plain',
  Cancelled: 'plain',
};

/** The stop changes of one kind of rider; they are decided in the inbox of approvals. */
export function StopChangeList({ title, changes }: { title: Text; changes: StopChanges }) {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const add = useMay(changes.api.request) ? () => setAdding(true) : undefined;
  return (
    <>
      <PageHead title={translate(title)} />
      <p>
        <ButtonLink kind="quiet" edge="start" to="/school-erp/approval/inbox">
          <Trans>Decide on requests</Trans>
        </ButtonLink>
      </p>
      <RecordList
        list={changes.list}
        open={() => undefined}
        cells={{
          status: ({ id, name, status, may }) => (
            <>
              <Status kind={kinds[status as ChangeState]}>{translateOption(status)}</Status>
              {may.cancel && <Cancel changes={changes} id={id} name={name} />}
            </>
          ),
        }}
        onAdd={add}
        empty={{
          message: <Trans>No pending requests.</Trans>,
          children: add && (
            <Button kind="main" onClick={add}>
              {t`Ask for a stop change`}
            </Button>
          ),
        }}
      />
      {isAdding && <StopChangeForm changes={changes} onClose={() => setAdding(false)} />}
    </>
  );
}

function Cancel({ changes, id, name }: { changes: StopChanges; id: number; name: string }) {
  const { t } = useLingui();
  const toast = useToast();
  const cancel = useAction(changes.api.cancel);
  return (
    <>
      <ConfirmButton
        name={t`Cancel the change of ${name}`}
        label={<Trans>Cancel</Trans>}
        confirm={<Trans>Cancel the change</Trans>}
        question={<Trans>The earlier ride continues.</Trans>}
        onConfirm={async () => {
          const answer = await cancel.run({ id });
          if (answer && answer.dropped.length > 0)
            toast({
              kind: 'warning',
              title: t`These days on another bus are no longer planned.`,
              of: name,
              text: answer.dropped.join('; '),
            });
          return answer;
        }}
      />
      {cancel.problem}
    </>
  );
}

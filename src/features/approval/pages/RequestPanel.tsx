import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { showMoney } from '#kit/contract/money.ts';
import { approvalApi, type Request } from '../contract/approval.ts';
import { stateKinds } from './states.ts';

interface Props {
  id: number;
  isInAddress: boolean;
  onOpen: (id: number) => void;
  onClose: () => void;
}

/** One request with what approving does. A decision opens the next waiting one. */
export function RequestPanel({ id, isInAddress, onOpen, onClose }: Props) {
  const { t } = useLingui();
  const request = useRead(approvalApi.read, { id: String(id) });
  const decided = useRef(0);
  return (
    <SideDialog title={t`Request`} isInAddress={isInAddress} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={request}>
          {(found) => (
            <Decision
              key={found.id}
              request={found}
              isNext={decided.current !== 0 && decided.current !== found.id}
              onDecided={() => {
                decided.current = found.id;
              }}
              onOpen={onOpen}
              close={close}
            />
          )}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

/** Milliseconds in which a second press on Approve, meant for the request before, approves nothing. */
const secondPress = 1000;

interface DecisionProps {
  request: Request;
  /** A decision about another request opened it. */
  isNext: boolean;
  onDecided: () => void;
  onOpen: (id: number) => void;
  close: () => void;
}

function Decision({ request, isNext, onDecided, onOpen, close }: DecisionProps) {
  const { t } = useLingui();
  const toast = useToast();
  const part = useRef<HTMLDivElement>(null);
  const [isRejecting, setRejecting] = useState(false);
  const [shownAt] = useState(() => performance.now());
  const approve = useAction(approvalApi.decide);
  const withdraw = useAction(approvalApi.withdraw);
  const { id, version, seen, may, next, previous, student } = request;
  const about = [translate(request.title), student?.name].filter(Boolean).join(', ');
  const after = (title: string) => {
    toast({ kind: 'success', title, of: about });
    onDecided();
    if (next !== null || previous !== null) return onOpen(next ?? previous ?? 0);
    close();
    backToTitle(); // The row that was pressed leaves the list.
  };
  const approveNow = async () => {
    if (isNext && performance.now() - shownAt < secondPress) return;
    if (await approve.run({ id, version, seen, outcome: 'Approved', remark: '' })) after(t`Approved.`);
  };
  useSingleKeys(part, ({ key }) => {
    if (key === 'j' && next !== null) return () => onOpen(next);
    if (key === 'k' && previous !== null) return () => onOpen(previous);
    if (key === 'a' && may.decide) return () => void approveNow();
    if (key === 'r' && may.decide) return () => setRejecting(true);
    return undefined;
  });
  return (
    <div ref={part} tabIndex={-1}>
      <h3>{translate(request.title)}</h3>
      <p>
        <Status kind={stateKinds[request.status]}>{translateOption(request.status)}</Status>
      </p>
      <Facts
        facts={[
          { label: t`Kind`, value: translate(request.kind) },
          { label: t`Student`, value: student && `${student.name} · ${student.grNo}` },
          { label: t`Amount`, value: request.amount !== null && showMoney(request.amount) },
          ...request.facts.map(({ label, value }) => ({ label: translate(label), value: translate(value) })),
          { label: t`Reason`, value: request.reason },
          { label: t`Requested by`, value: `${request.requestedBy}, ${showMoment(request.requestedAt)}` },
          {
            label: t`Decided by`,
            value: request.decidedBy && `${request.decidedBy}, ${showMoment(request.decidedAt)}`,
          },
          { label: t`Remark`, value: request.remark },
        ]}
      />
      {request.effect.length > 0 && (
        <>
          <h4>
            <Trans>If it is approved</Trans>
          </h4>
          <ul>
            {request.effect.map((words) => (
              <li key={words.id}>{translate(words)}</li>
            ))}
          </ul>
        </>
      )}
      {request.to && (
        <p>
          <ServedLink to={`/school-erp/${request.to}`}>
            <Trans>Open the record</Trans>
          </ServedLink>
        </p>
      )}
      {approve.problem}
      {withdraw.problem}
      {isRejecting ? (
        <ApiForm
          endpoint={approvalApi.decide}
          label={t`Reject`}
          initial={{ remark: '' }}
          hiddenValues={{ id, version, seen, outcome: 'Rejected' }}
          isShort
          onDone={() => after(t`Rejected.`)}
          buttons={(isSending) => (
            <DialogButtons>
              <Button onClick={() => setRejecting(false)}>
                <Trans>Cancel</Trans>
              </Button>
              <Button type="submit" kind="bad" isBusy={isSending}>
                <Trans>Reject</Trans>
              </Button>
            </DialogButtons>
          )}
        >
          <TextField name="remark" long takesFocus required />
        </ApiForm>
      ) : (
        <DialogButtons>
          {previous !== null && (
            <Button kind="quiet" aria-keyshortcuts="k" onClick={() => onOpen(previous)}>
              <Trans>Previous</Trans>
            </Button>
          )}
          {next !== null && (
            <Button kind="quiet" aria-keyshortcuts="j" onClick={() => onOpen(next)}>
              <Trans>Next</Trans>
            </Button>
          )}
          {may.withdraw && (
            <Button
              isBusy={withdraw.isBusy}
              onClick={async () => {
                if (await withdraw.run({ id, version })) {
                  toast({ kind: 'success', title: t`Request withdrawn.`, of: about });
                  close();
                  backToTitle();
                }
              }}
            >
              <Trans>Withdraw</Trans>
            </Button>
          )}
          {may.decide && (
            <>
              <Button aria-keyshortcuts="r" onClick={() => setRejecting(true)}>
                <Trans>Reject…</Trans>
              </Button>
              <Button kind="main" aria-keyshortcuts="a" isBusy={approve.isBusy} onClick={() => void approveNow()}>
                <Trans>Approve</Trans>
              </Button>
            </>
          )}
        </DialogButtons>
      )}
    </div>
  );
}

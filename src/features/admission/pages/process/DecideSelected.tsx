import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconArmchair, IconMessage } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DoesCard, type DoesLine } from '#kit/browser/ui/DoesCard.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { showRupees } from '#kit/contract/money.ts';
import { processApi } from '../../contract/process.ts';
import type { DecisionKind } from '../../contract/process-list.ts';
import { quotas } from '../../contract/record.ts';
import { EndReasonFields } from '../EndReasonFields.tsx';

interface Props {
  kind: DecisionKind;
  selection: Selection;
  onDone: () => void;
}

/** Decides about the selected applications, with the button that opens it. */
export function DecideSelected({ kind, selection, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const labels: Record<DecisionKind, ReactNode> = {
    Offer: <Trans>Offer…</Trans>,
    Waitlist: <Trans>Waiting list…</Trans>,
    Reject: <Trans>Decline…</Trans>,
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{labels[kind]}</Button>
      {isOpen && <DecideDialog kind={kind} selection={selection} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Decides about the selected applications after a preview. The decision is held until it is released. */
export function DecideDialog({ kind, selection, onDone, onClose }: Props & { onClose: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(processApi.decide);
  const words: Record<DecisionKind, { title: string; effect: (count: number) => ReactNode }> = {
    Offer: {
      title: t`Offer a seat`,
      effect: (count) => (
        <Plural value={count} one="# seat is held for its child." other="# seats are held for their children." />
      ),
    },
    Waitlist: {
      title: t`Put on the waiting list`,
      effect: (count) => (
        <Plural
          value={count}
          one="# child is put on the waiting list."
          other="# children are put on the waiting list."
        />
      ),
    },
    Reject: {
      title: t`Decline`,
      effect: (count) => <Plural value={count} one="# application is declined." other="# applications are declined." />,
    },
  };
  const { title, effect } = words[kind];
  return (
    <>
      <SideDialog title={title} onClose={onClose}>
        {(close) => (
          <ApiForm
            endpoint={processApi.decide}
            label={title}
            initial={{ seatQuota: '', conditions: '', offerUntil: '', reasonId: '', note: '' }}
            hiddenValues={{ kind, selection }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <p className="soft">
              <Trans>The decision is on hold. Families get a message when you release it.</Trans>
            </p>
            {kind === 'Reject' ? (
              <EndReasonFields options={processApi.notOfferedReasons} />
            ) : (
              <SelectField
                name="seatQuota"
                options={quotas}
                hint={<Trans>Leave empty for the child’s own quota while it has a free seat, otherwise General.</Trans>}
              />
            )}
            {kind === 'Offer' && (
              <>
                <DateField
                  name="offerUntil"
                  toward="future"
                  hint={<Trans>Leave empty for the days of the seat plan.</Trans>}
                />
                <TextField name="conditions" long />
              </>
            )}
          </ApiForm>
        )}
      </SideDialog>
      <BulkAct
        preview={preview}
        title={title}
        effect={effect}
        details={<DecisionDoes kind={kind} preview={preview} />}
        confirm={<Trans>Hold</Trans>}
        done={t`Decisions on hold`}
        onApplied={() => {
          onClose();
          onDone();
        }}
      />
    </>
  );
}

interface DoesProps {
  kind: DecisionKind;
  preview: Preview<typeof processApi.decide>;
}

/** What the families get, and when, before the decision is held. */
function DecisionDoes({ kind, preview }: DoesProps) {
  const { seats = [], changed = 0 } = preview.shown?.answer ?? {};
  const until = String(preview.shown?.input.offerUntil ?? '');
  if (changed === 0) return null;
  const lines: DoesLine[] = seats.map(({ id, quota, count, free, fee, offerDays }) => ({
    key: String(id),
    Icon: IconArmchair,
    words: (
      <>
        <p>
          {kind === 'Offer' ? (
            <Trans>
              {translateOption(quota)}: {count} offered, {free} free then
            </Trans>
          ) : (
            <Trans>
              {translateOption(quota)}: {count} more on the waiting list
            </Trans>
          )}
        </p>
        {kind === 'Offer' && (
          <p className="soft">
            {fee > 0 ? (
              until ? (
                <Trans>
                  {showRupees(fee)} until {showDate(until)} confirms the seat
                </Trans>
              ) : (
                <Trans>
                  {showRupees(fee)} within {offerDays} days of the release confirms the seat
                </Trans>
              )
            ) : until ? (
              <Trans>The family accepts until {showDate(until)}, without a fee</Trans>
            ) : (
              <Trans>The family accepts within {offerDays} days of the release, without a fee</Trans>
            )}
          </p>
        )}
      </>
    ),
  }));
  return (
    <DoesCard
      lines={[
        ...lines,
        {
          key: 'told',
          Icon: IconMessage,
          words: <Trans>Families get a message with the letter once you release the decision.</Trans>,
        },
      ]}
      foot={<Trans>Can be undone until then.</Trans>}
    />
  );
}

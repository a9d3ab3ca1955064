import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Overdue, Status } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { PlannedDue } from '../contract/plan.ts';
import styles from './DueTable.module.css';

/** Due days down, fee heads across; an amount opens its entries. */
export function DueTable({ dues }: { dues: readonly PlannedDue[] }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<PlannedDue[]>();
  const heads = [...new Map(dues.map(({ feeHeadId, head }) => [feeHeadId, head]))];
  const days = [...Map.groupBy(dues, ({ dueOn }) => dueOn)].toSorted(([one], [other]) => one.localeCompare(other));
  const total = (some: readonly PlannedDue[]) => showMoney(some.reduce((sum, { net }) => sum + net, 0));
  return (
    <>
      <AmountTable
        caption={<Trans>Dues by day and fee head</Trans>}
        heads={[t`Due on`, ...heads.map(([, head]) => head), t`Total`, t`Paid`]}
        amounts={[...heads.map(([, head]) => head), t`Total`]}
        rows={days.map(([day, ofDay]) => ({
          key: day,
          cells: [
            showDate(day),
            ...heads.map(([id, head]) => {
              const own = ofDay.filter(({ feeHeadId }) => feeHeadId === id);
              if (own.length === 0) return '';
              const amount = total(own);
              return (
                <Button
                  key={id}
                  kind="link"
                  className={styles.amount}
                  aria-label={t`${head}, ${showDate(day)}: ${amount}`}
                  onClick={() => setOpen(own)}
                >
                  {amount}
                </Button>
              );
            }),
            <strong key="total">{total(ofDay)}</strong>,
            <PaidStatus key="paid" day={day} dues={ofDay} />,
          ],
        }))}
      />
      {open && <Entries dues={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** Whether the dues of a day are paid, overdue or not due yet, with the amount left of a part payment. */
function PaidStatus({ day, dues }: { day: string; dues: readonly PlannedDue[] }) {
  const net = dues.reduce((sum, due) => sum + due.net, 0);
  const paid = dues.reduce((sum, due) => sum + due.paid, 0);
  if (net === 0) return null;
  if (paid >= net)
    return (
      <Status kind="good">
        <Trans>Paid</Trans>
      </Status>
    );
  const left = showMoney(net - paid);
  if (day < today())
    return <Overdue isSaid>{paid > 0 ? <Trans>{left} overdue</Trans> : <Trans>Overdue</Trans>}</Overdue>;
  return <Status>{paid > 0 ? <Trans>{left} left</Trans> : <Trans>Not paid</Trans>}</Status>;
}

function Entries({ dues, onClose }: { dues: readonly PlannedDue[]; onClose: () => void }) {
  const { t } = useLingui();
  const [due] = dues;
  return (
    <SideDialog title={due ? t`${due.head}, ${showDate(due.dueOn)}` : ''} onClose={onClose}>
      {(close) => (
        <>
          {dues.map(({ id, label, gross, proRata, concession, net, paid, entries }) => (
            <section key={id}>
              <h3>{label}</h3>
              <Facts
                facts={[
                  { label: t`Price`, value: showMoney(gross) },
                  { label: t`Pro-rata`, value: proRata > 0 ? showMoney(-proRata) : '' },
                  { label: t`Concessions`, value: concession > 0 ? showMoney(-concession) : '' },
                  { label: t`Pays`, value: showMoney(net) },
                  { label: t`Paid`, value: showMoney(paid) },
                ]}
              />
              <AmountTable
                caption={<Trans>Entries</Trans>}
                heads={[t`Day`, t`Particulars`, t`Amount`]}
                amounts={[t`Amount`]}
                rows={entries.map((entry) => ({
                  key: entry.id,
                  cells: [showDate(entry.entryDate), translateOption(entry.kind), showMoney(entry.amount)],
                }))}
              />
            </section>
          ))}
          <Button onClick={close}>
            <Trans>Close</Trans>
          </Button>
        </>
      )}
    </SideDialog>
  );
}

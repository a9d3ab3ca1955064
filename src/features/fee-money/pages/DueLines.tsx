import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row, Table } from '#kit/browser/ui/Layout.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney, typedMoney } from '#kit/contract/money.ts';
import type { PayableLine, PayingChild } from '../contract/payment.ts';
import styles from './Counter.module.css';
import { usePresence } from './presence.tsx';

const orDash = (paise: number) => (paise === 0 ? '–' : showMoney(paise));

interface Props {
  family: readonly PayingChild[];
  on: string;
  /** What each line is paid now. */
  parts: ReadonlyMap<string, number>;
  chosen: ReadonlySet<string>;
  onChoose: (key: string) => void;
  /** Typed amounts, where the cashier changes what is paid. */
  typed: Readonly<Record<string, string>> | undefined;
  onType: (key: string, words: string) => void;
}

/** What a family owes, child by child, with what the payment settles. */
export function DueLines({ family, on, parts, chosen, onChoose, typed, onType }: Props) {
  const { t } = useLingui();
  const presence = usePresence();
  const [isAll, setAll] = useState(false);
  const lineName = ({ isFine, head, label, days, mostFine, dueOn }: PayableLine) => {
    if (!isFine) return [head, label].filter(Boolean).join(', ');
    // The dues that were paid late are no lines any more.
    if (days === 0) return t`Late fine, dues of ${showDate(dueOn, on)}`;
    return mostFine === null ? t`Late fine, ${days} days` : t`Late fine, ${days} days, at most ${showMoney(mostFine)}`;
  };
  // What is not due yet is folded, but for what the payment pays; where nothing is due, the next day is shown.
  const isNothingDue = family.every(({ lines }) => lines.every(({ isDue }) => !isDue));
  const next = (lines: readonly PayableLine[]) => lines.find(({ isDue }) => !isDue)?.dueOn;
  const shown = ({ lines }: PayingChild) =>
    lines.filter(
      ({ key, isDue, dueOn }) =>
        isAll || isDue || (isNothingDue && dueOn === next(lines)) || chosen.has(key) || parts.has(key),
    );
  const owed = (lines: readonly PayableLine[]) => lines.reduce((sum, line) => sum + (line.isDue ? line.owed : 0), 0);
  const paidNow = (lines: readonly PayableLine[]) => lines.reduce((sum, { key }) => sum + (parts.get(key) ?? 0), 0);
  const all = family.flatMap(({ lines }) => lines);
  const folded = family.flatMap((child) => {
    const inView = new Set(shown(child));
    return child.lines.filter((line) => !inView.has(line));
  });
  const later = folded.length;
  const [soonest = ''] = folded.map(({ dueOn }) => dueOn).toSorted();
  const amountLater = folded.reduce((sum, line) => sum + line.owed, 0);
  const paid = paidNow(all);
  const left = Math.max(0, owed(all) - paid);
  return (
    <>
      <Table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Due</Trans>
            </th>
            <th scope="col">
              <Trans>Fee</Trans>
            </th>
            <th scope="col">
              <Trans>Owed</Trans>
            </th>
            <th scope="col">
              <Trans>Pays now</Trans>
            </th>
          </tr>
        </thead>
        {family.map((child) => (
          <tbody key={child.studentId}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                <b>{child.name}</b>{' '}
                <small>{[child.place, child.grNo, presence(child)].filter(Boolean).join(' · ')}</small>
                {child.isElsewhere && (
                  <small>
                    <Trans>Another branch takes this child’s fees.</Trans>
                  </small>
                )}
              </th>
              <td>{!child.isElsewhere && orDash(owed(child.lines))}</td>
              <td data-same={paidNow(child.lines) === owed(child.lines) || undefined} data-label={t`Pays now`}>
                {!child.isElsewhere && orDash(paidNow(child.lines))}
              </td>
            </tr>
            {shown(child).map((line) => {
              const part = parts.get(line.key) ?? 0;
              const name = lineName(line);
              return (
                <tr
                  key={line.key}
                  className={line.isDue ? undefined : styles.later}
                  data-fine={line.isFine || undefined}
                >
                  <td>
                    <Row as="label" gap={8} align="center" className={styles.tick}>
                      <input
                        type="checkbox"
                        aria-label={t`${child.name}: ${name}, ${showDate(line.dueOn)}`}
                        checked={chosen.has(line.key)}
                        onChange={() => onChoose(line.key)}
                      />
                      {!line.isFine &&
                        (line.dueOn < on ? <Overdue>{showDate(line.dueOn, on)}</Overdue> : showDate(line.dueOn, on))}
                    </Row>
                  </td>
                  <td>
                    {name}
                    {line.paid > 0 && (
                      <small>
                        <Trans>{showMoney(line.paid)} paid</Trans>
                      </small>
                    )}
                  </td>
                  <td>{showMoney(line.owed)}</td>
                  <td
                    className={part > 0 && part < line.owed ? styles.part : undefined}
                    data-same={(part === line.owed && !typed) || undefined}
                    data-label={t`Pays now`}
                  >
                    {typed ? (
                      <input
                        className="box"
                        inputMode="decimal"
                        aria-label={t`Pays now: ${child.name}, ${name}`}
                        value={typed[line.key] ?? (part > 0 ? typedMoney(part) : '')}
                        onChange={(event) => onType(line.key, event.currentTarget.value)}
                      />
                    ) : (
                      part > 0 && showMoney(part)
                    )}
                  </td>
                </tr>
              );
            })}
            {!child.isElsewhere && child.lines.length === 0 && (
              <tr>
                <td colSpan={4}>
                  <Trans>Nothing is owed.</Trans>
                </td>
              </tr>
            )}
            {child.advance > 0 && (
              <tr>
                <td />
                <td colSpan={3}>
                  <Trans>{showMoney(child.advance)} was paid in advance.</Trans>
                </td>
              </tr>
            )}
          </tbody>
        ))}
        <tfoot>
          <tr className={styles.total}>
            <th scope="row" colSpan={2}>
              <Trans>Due on {showDate(on)}, with fines</Trans>
            </th>
            <td>{showMoney(owed(all))}</td>
            <td data-same={paid === owed(all) || undefined} data-label={t`Pays now`}>
              {showMoney(paid)}
            </td>
          </tr>
          {paid > 0 && (
            <tr className={styles.left}>
              <th scope="row" colSpan={2}>
                <Trans>Left after this payment</Trans>
              </th>
              <td />
              <td>{showMoney(left)}</td>
            </tr>
          )}
        </tfoot>
      </Table>
      {later > 0 && (
        <Button kind="quiet" edge="start" onClick={() => setAll(true)}>
          <Plural
            value={later}
            one={`Not due yet: # due on ${showDate(soonest)}, ${showMoney(amountLater)}`}
            other={`Not due yet: # dues from ${showDate(soonest)}, ${showMoney(amountLater)}`}
          />
        </Button>
      )}
    </>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { dayTickApi } from '../contract/line.ts';

/** The totals of the last days, to be compared with the card machine and the UPI app. */
export function DayTicks() {
  const { t } = useLingui();
  const days = useRead(dayTickApi.list, {});
  const ticking = useAction(dayTickApi.tick);
  const mayTick = useMay(dayTickApi.tick);
  return (
    <>
      {ticking.problem}
      <QueryBoundary query={days}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState message={<Trans>Nothing came by UPI or card in the last 31 days.</Trans>} />
          ) : (
            <AmountTable
              caption={<Trans>UPI and card</Trans>}
              heads={[t`Day`, t`Mode`, t`Payments`, t`Received`, t`Seen in the bank`, t`Compared`]}
              amounts={[t`Payments`, t`Received`, t`Seen in the bank`]}
              rows={rows.map(({ day, mode, count, amount, seen, ticked }) => ({
                key: `${day} ${mode}`,
                cells: [
                  showDate(day),
                  translateOption(mode),
                  String(count),
                  showMoney(amount),
                  showMoney(seen),
                  ticked?.amount === amount ? (
                    t`${ticked.by}, ${showDate(ticked.at)}`
                  ) : (
                    <>
                      {ticked && <Trans>{showMoney(ticked.amount)} then. </Trans>}
                      {mayTick && (
                        <Button
                          kind="quiet"
                          aria-label={t`Tick off ${mode} of ${showDate(day)}`}
                          onClick={() => void ticking.run({ day, mode, amount })}
                        >
                          <Trans>Tick off</Trans>
                        </Button>
                      )}
                    </>
                  ),
                ],
              }))}
            />
          )
        }
      </QueryBoundary>
    </>
  );
}

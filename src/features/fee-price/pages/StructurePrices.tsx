import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Grid, Row, Stack, Table, Text } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { dueDaysOf, type Instalment, instalmentsOf, totalsOf } from '../contract/amounts.ts';
import { frequencyApi } from '../contract/frequency.ts';
import type { YearDays } from '../contract/months.ts';
import type { Structure, StructureLine } from '../contract/structure.ts';
import { useDaysOff } from './days-off.ts';
import { monthsWords } from './month-words.ts';
import styles from './StructurePrices.module.css';

/** The frequencies by their id, once they are read. */
export function useFrequencies() {
  const { data } = useRead(frequencyApi.list, {});
  return new Map((data?.rows ?? []).map((frequency) => [frequency.id, frequency]));
}

/** Prices that do not change, and what is due when. */
export function StructurePrices({ structure }: { structure: Structure }) {
  const { t } = useLingui();
  const frequencies = useFrequencies();
  const year = { ...structure, daysOff: useDaysOff() };
  const { lines } = structure;
  return (
    <RecordCard title={t`Prices of the year`} isWide>
      <Grid gap={32} mb={16} className={styles.sides}>
        <Table className={styles.prices}>
          <thead>
            <tr>
              <th scope="col">{t`Fee head`}</th>
              <th scope="col">{t`Frequency`}</th>
              <th scope="col" data-kind="number">
                {t`Amount a year`}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.feeHeadId}>
                <td>
                  {line.head}
                  {line.appliesTo !== 'All students' && (
                    <span className="soft"> {translateOption(line.appliesTo)}</span>
                  )}
                </td>
                <td>
                  {line.months === null ? (
                    frequencies.get(line.frequencyId)?.name
                  ) : (
                    <Months words={monthsWords(structure, line.months)} />
                  )}
                </td>
                <td data-kind="number">{showMoney(line.annual)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {totalsOf(lines).map(({ of, total }) => (
              <tr key={of}>
                <th scope="row" colSpan={2}>
                  <TotalWords of={of} />
                </th>
                <td data-kind="number">{showMoney(total)}</td>
              </tr>
            ))}
          </tfoot>
        </Table>
        <DueDays lines={lines.map((line) => ({ ...line, instalments: instalmentsOfLine(year, frequencies, line) }))} />
      </Grid>
    </RecordCard>
  );
}

/** Some months of the year, which the frequency alone would not say. */
const Months = ({ words }: { words: string }) => (
  <Plural value={words.split(', ').length} one={`Once: ${words}`} _2={`Twice: ${words}`} other={`# times: ${words}`} />
);

export const TotalWords = ({ of }: { of: StructureLine['appliesTo'] }) =>
  of === 'All students' ? (
    <Trans>Total of the year</Trans>
  ) : of === 'New students' ? (
    <Trans>Total of the year, new students</Trans>
  ) : (
    <Trans>Total of the year, existing students</Trans>
  );

/** What a line's frequency makes of its amount; nothing until its frequency is known. */
export function instalmentsOfLine(
  year: YearDays,
  frequencies: ReturnType<typeof useFrequencies>,
  { frequencyId, annual, months }: Pick<StructureLine, 'frequencyId' | 'annual' | 'months'>,
): Instalment[] {
  const frequency = frequencies.get(frequencyId);
  return frequency && annual > 0 ? instalmentsOf(year, frequency, { annual, months }) : [];
}

/** What a student who stays the whole year pays on each day, with all heads. */
export function DueDays({ lines }: { lines: Parameters<typeof dueDaysOf>[0] }) {
  const { t } = useLingui();
  const days = dueDaysOf(lines);
  return (
    <section className={styles.days} aria-label={t`Due days`}>
      <h3>
        <Trans>Due days</Trans>
      </h3>
      {days.length === 0 ? (
        <p className="soft">
          <Trans>Nothing is due yet.</Trans>
        </p>
      ) : (
        <Stack as="dl" gap={6}>
          {days.map(({ dueOn, amount, forNew }) => (
            <Row gap="0 12" justify="between" className={styles.day} key={dueOn}>
              <dt>{showDate(dueOn)}</dt>
              <dd>{showMoney(amount)}</dd>
              {forNew !== null && (
                <Text as="dd" tone="soft" size={13}>
                  <Trans>New students: {showMoney(forNew)}</Trans>
                </Text>
              )}
            </Row>
          ))}
        </Stack>
      )}
    </section>
  );
}

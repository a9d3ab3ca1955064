import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Chart } from '#kit/browser/ui/Chart.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Strip } from '#kit/browser/ui/Strip.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { showDate } from '#kit/contract/day.ts';
import type { CardAnswer } from '#kit/contract/served-card.ts';
import styles from './CardContent.module.css';
import { Facts } from './Facts.tsx';
import { ShortRows } from './ShortRows.tsx';

const PersonRows = lazy(async () => ({ default: (await import('#kit/browser/ui/PersonRow.tsx')).PersonRows }));
const PersonRow = lazy(async () => ({ default: (await import('#kit/browser/ui/PersonRow.tsx')).PersonRow }));

/** What a served card says. */
export function CardContent({ title, answer }: { title: string; answer: CardAnswer }) {
  const { asOf, facts, strip, chart, table, people, empty } = answer;
  const isPhone = useMedia(phone);
  const day = asOf && showDate(asOf);
  const rows = table && table.rows.length > 0 && (
    <ShortRows
      caption={title}
      heads={table.heads.map(translate)}
      rows={table.rows.map((cells, index) => ({ key: index, cells: cells.map(translate) }))}
    />
  );
  const drawn = chart && <Chart chart={chart} />;
  const found = withoutZeros(facts.map(({ label, value }) => ({ label: translate(label), value: translate(value) })));
  const counted =
    isPhone && rows && found.every(({ value }) => isCount.test(value)) ? (
      <p className="soft">{found.map(({ label, value }) => `${label} ${value}`).join(' · ')}</p>
    ) : (
      <Facts facts={found} />
    );
  // A phone shows the days; the counts are behind them.
  const isFolded = isPhone && (strip?.cells.length ?? 0) > 0;
  return (
    <>
      {facts.length === 0 && (table?.rows ?? []).length === 0 && !chart && <EmptyState message={translate(empty)} />}
      {!isFolded && counted}
      {strip && strip.cells.length > 0 ? (
        <Strip says={translate(strip.says)} cells={strip.cells}>
          {(drawn || rows || isFolded) && (
            <>
              {isFolded && counted}
              {drawn}
              {rows}
            </>
          )}
        </Strip>
      ) : (
        <>
          {people ? <People people={people} /> : rows}
          {drawn && isPhone ? (
            <details className={styles.chart}>
              <summary>{translate(chart.says)}</summary>
              {drawn}
            </details>
          ) : (
            drawn
          )}
        </>
      )}
      {day && (
        <p className="soft">
          <Trans>As of {day}</Trans>
        </p>
      )}
    </>
  );
}

/** What there is none of is left out beside what there is. */
function withoutZeros(facts: { label: string; value: string }[]) {
  const counted = facts.filter(({ value }) => value !== '0' && value !== '–');
  return counted.length > 0 ? counted : facts;
}

const phone = '(max-width: 767px)';

/** Counts above rows are one line on a phone. */
const isCount = /^[0-9.,]{1,12}( %)?$/;

/** Two adults may have one name. */
const withPlaces = <Person extends object>(people: readonly Person[]) =>
  people.map((person, place) => ({ ...person, place }));

const People = ({ people }: { people: NonNullable<CardAnswer['people']> }) => (
  <Suspense fallback={null}>
    <PersonRows>
      {withPlaces(people).map(({ place, name, relation, mobile, detail }) => (
        <PersonRow key={place} name={name} relation={relation} mobile={mobile} detail={translate(detail)} />
      ))}
    </PersonRows>
  </Suspense>
);

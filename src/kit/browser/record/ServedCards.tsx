import { Trans } from '@lingui/react/macro';
import { type ComponentType, lazy, type ReactNode, Suspense, use } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Chart } from '#kit/browser/ui/Chart.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { Strip } from '#kit/browser/ui/Strip.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { CardAnswer, CardEndpoint, ShownCard } from '#kit/contract/served-card.ts';
import { Added } from './added.tsx';
import { Facts } from './Facts.tsx';
import { RecordCard } from './RecordCard.tsx';
import styles from './ServedCards.module.css';
import { ShortRows } from './ShortRows.tsx';

const PersonRows = lazy(async () => ({ default: (await import('#kit/browser/ui/PersonRow.tsx')).PersonRows }));
const PersonRow = lazy(async () => ({ default: (await import('#kit/browser/ui/PersonRow.tsx')).PersonRow }));

interface Given<Head> {
  /** The kind of record. */
  kind: string;
  head: Head & { id: number; cards: readonly ShownCard[] };
  /** The components of the owner's cards, by key; those of other features come with their manifests. */
  own: Readonly<Record<string, ComponentType<{ head: Head }>>>;
  /** Reads what a served card says. */
  endpoint: CardEndpoint;
}

/** The cards of a record that its reader has, by the part of the page. */
export function useServedCards<Head>({ kind, head, own, endpoint }: Given<Head>) {
  const { cards: added } = use(Added);
  const drawn = ({ key, title, isServed }: ShownCard): ReactNode => {
    const Own = own[key];
    if (Own) return <Own key={key} head={head} />;
    const other = added.find((card) => card.record === kind && card.key === key);
    if (other)
      return (
        <Suspense key={key} fallback={null}>
          <other.Card record={head as never} />
        </Suspense>
      );
    return isServed ? (
      <ServedCard key={key} cardKey={key} title={translate(title)} id={head.id} endpoint={endpoint} />
    ) : null;
  };
  return (part: string) =>
    head.cards
      .filter((card) => card.part === part)
      .sort((one, other) => one.order - other.order)
      .map(drawn);
}

interface Props {
  cardKey: string;
  title: string;
  id: number;
  endpoint: CardEndpoint;
  /** The days that it counts; the card chooses by default. */
  period?: { from: string; to: string };
}

/** A card that the server fills: facts, and a short table below them. */
export function ServedCard({ cardKey, title, id, endpoint, period = usualDays }: Props) {
  const answer = useReadList(endpoint, { id, key: cardKey, ...period });
  const { data } = answer;
  return (
    <RecordCard
      isWide={Boolean(data?.table)}
      isEmpty={data && isBare(data)}
      title={title}
      actions={data && <CardLink title={title} to={data.to} />}
    >
      <QueryBoundary query={answer}>{(found) => <CardContent title={title} answer={found} />}</QueryBoundary>
    </RecordCard>
  );
}

/** The way to the whole of a card, beside its title. */
export const CardLink = ({ title, to }: { title: string; to: string }) =>
  to && (
    <ServedLink to={to}>
      <Trans>Show all</Trans> <VisuallyHidden>{title}</VisuallyHidden>
    </ServedLink>
  );

const usualDays = { from: '', to: '' };

const isBare = ({ facts, table, chart, strip }: CardAnswer) =>
  facts.length === 0 && !table?.rows.length && !chart && !strip?.cells.length;

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
  return (
    <>
      {facts.length === 0 && (table?.rows ?? []).length === 0 && !chart && <EmptyState message={translate(empty)} />}
      <Facts
        facts={withoutZeros(facts.map(({ label, value }) => ({ label: translate(label), value: translate(value) })))}
      />
      {strip && strip.cells.length > 0 ? (
        <Strip says={translate(strip.says)} cells={strip.cells}>
          {(drawn || rows) && (
            <>
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

const People = ({ people }: { people: NonNullable<CardAnswer['people']> }) => (
  <Suspense fallback={null}>
    <PersonRows>
      {people.map(({ name, relation, mobile, detail }) => (
        <PersonRow key={name} name={name} relation={relation} mobile={mobile} detail={translate(detail)} />
      ))}
    </PersonRows>
  </Suspense>
);

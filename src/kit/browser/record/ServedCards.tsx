import { Trans } from '@lingui/react/macro';
import { type ComponentType, lazy, type ReactNode, Suspense, use } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { CardAnswer, CardEndpoint, ShownCard } from '#kit/contract/served-card.ts';
import { Added } from './added.tsx';
import { type Later, useLaterCards } from './later-cards.tsx';
import { RecordCard } from './RecordCard.tsx';

// Charts and tables are loaded with the first card.
const CardContent = lazy(async () => ({ default: (await import('./CardContent.tsx')).CardContent }));

interface Given<Head> {
  /** The kind of record. */
  kind: string;
  head: Head & { id: number; cards: readonly ShownCard[] };
  /** The components of the owner's cards, by key; those of other features come with their manifests. */
  own: Readonly<Record<string, ComponentType<{ head: Head }>>>;
  /** Reads what a served card says. */
  endpoint: CardEndpoint;
  /** Whether a card is shown on request alone, on a phone or everywhere. */
  isLater?: (card: ShownCard) => Later;
}

/** The cards of a record that its reader has, by the part of the page. */
export function useServedCards<Head>({ kind, head, own, endpoint, isLater }: Given<Head>) {
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
  const cardsOf = useLaterCards();
  return (part: string) =>
    cardsOf(
      head.cards
        .filter((card) => card.part === part)
        .sort((one, other) => one.order - other.order)
        .map((card) => ({ title: translate(card.title), card: drawn(card), isLater: isLater?.(card) })),
    );
}

type Table = NonNullable<CardAnswer['table']>;

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
  const table = data?.table && withoutEmptyColumns(data.table);
  return (
    <RecordCard
      // The table of a strip of days is folded.
      isWide={(table?.heads.length ?? 0) > 4 && !data?.strip?.cells.length}
      isEmpty={data && isBare(data)}
      title={title}
      actions={data && <CardLink title={title} to={data.to} />}
    >
      <QueryBoundary query={answer}>
        {(found) => (
          <Suspense fallback={null}>
            <CardContent title={title} answer={{ ...found, ...(table && { table }) }} />
          </Suspense>
        )}
      </QueryBoundary>
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

/** A column that is empty in each row is left out. */
function withoutEmptyColumns({ heads, rows }: Table): Table {
  const isFilled = heads.map((_head, index) => rows.some((cells) => cells[index] && translate(cells[index]) !== ''));
  return {
    heads: heads.filter((_head, index) => isFilled[index]),
    rows: rows.map((cells) => cells.filter((_cell, index) => isFilled[index])),
  };
}

const usualDays = { from: '', to: '' };

const isBare = ({ facts, table, chart, strip }: CardAnswer) =>
  facts.length === 0 && !table?.rows.length && !chart && !strip?.cells.length;

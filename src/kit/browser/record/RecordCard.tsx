import { Trans } from '@lingui/react/macro';
import {
  Children,
  createContext,
  Fragment,
  type ReactNode,
  type Ref,
  use,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import styles from './RecordCard.module.css';

interface Props {
  title: ReactNode;
  /** The label of its only field says the same. */
  isTitleHidden?: boolean;
  /** A button or two beside the title. */
  actions?: ReactNode;
  /** As wide as the page, for a table or many facts. */
  isWide?: boolean;
  /** It has nothing to show: a record's page names it in its last line, which opens it. */
  isEmpty?: boolean;
  /** For a card that takes the focus when the pressed button is gone with its row. */
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of a record's page under a heading. What it reads stands in a `QueryBoundary` of its own. */
export function RecordCard({ title, isTitleHidden, actions, isWide, isEmpty = false, ref, children }: Props) {
  const id = useId();
  if (useFolded(id, title, isEmpty)) return null;
  return (
    <section
      ref={ref}
      className={styles.card}
      data-wide={isWide || undefined}
      aria-labelledby={id}
      tabIndex={ref ? -1 : undefined}
    >
      {isTitleHidden ? (
        <VisuallyHidden as="h2" id={id}>
          {title}
        </VisuallyHidden>
      ) : (
        <Row gap="0 16" align="center" wrap className={styles.head}>
          <h2 id={id}>{title}</h2>
          {actions}
        </Row>
      )}
      {children}
    </section>
  );
}

/** The buttons of a card, below what it says. */
export const CardButtons = ({ children }: { children: ReactNode }) => (
  <Row gap={8} align="center" wrap className={styles.buttons}>
    {children}
  </Row>
);

interface Folding {
  isOpen: boolean;
  add: (id: string, card: EmptyCard) => void;
  remove: (id: string) => void;
}
const Folded = createContext<Folding | undefined>(undefined);

interface EmptyCard {
  title: ReactNode;
  /** Its place among the cards of the page: they answer in any order. */
  place: number;
}
const Place = createContext(0);

/** Whether the card of this id is one of the names in the last line. */
function useFolded(id: string, title: ReactNode, isEmpty: boolean): boolean {
  const folding = use(Folded);
  const { add, remove } = folding ?? {};
  const place = use(Place);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a title is another element each time, with the same words.
  useEffect(() => {
    if (!isEmpty) return;
    add?.(id, { title, place });
    return () => remove?.(id);
  }, [id, isEmpty, place, add, remove]);
  return isEmpty && folding !== undefined && !folding.isOpen;
}

interface CardsProps {
  /** Below each other at every width. */
  isNarrow?: boolean;
  children: ReactNode;
}

/**
 * Cards beside each other where there is room, each row as high as its higher one. Those with nothing to show are named in
 * one line below, which opens them.
 */
export function Cards({ isNarrow = false, children }: CardsProps) {
  const id = useId();
  const [empty, setEmpty] = useState<ReadonlyMap<string, EmptyCard>>(new Map());
  const [isOpen, setOpen] = useState(false);
  const folding = useMemo(
    () => ({
      isOpen,
      add: (id: string, card: EmptyCard) => setEmpty((before) => new Map(before).set(id, card)),
      remove: (id: string) => setEmpty((before) => new Map([...before].filter(([other]) => other !== id))),
    }),
    [isOpen],
  );
  const inOrder = [...empty].sort(([, one], [, other]) => one.place - other.place);
  return (
    <Folded value={folding}>
      <Grid columns={1} gap={24} align="start" className={isNarrow ? styles.narrow : styles.cards} id={id}>
        {Children.map(children, (card, place) => (
          <Place value={place}>{card}</Place>
        ))}
      </Grid>
      {empty.size > 0 && (
        <Row gap="0 8" align="center" mt={16} py={4} tone="soft" line="hair-above" noPrint>
          <span>
            <Trans>Not recorded:</Trans>{' '}
            {inOrder.map(([card, { title }], index) => (
              <Fragment key={card}>
                {index > 0 && ' · '}
                {title}
              </Fragment>
            ))}
          </span>
          <Button kind="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            {isOpen ? <Trans>Hide</Trans> : <Trans>Show</Trans>}
          </Button>
        </Row>
      )}
    </Folded>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { IconChevronDown, IconChevronLeft, IconChevronUp } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { hrefOf, lastList } from '#kit/browser/list/last-list.ts';
import { setListAround } from '#kit/browser/list/list-around.ts';
import { type Address, useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate } from '#kit/browser/text.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { type PageAddress, ServedLink, useServedNavigate } from '#kit/browser/ui/PageLink.tsx';
import { type Shortcut, ShortcutList } from '#kit/browser/ui/ShortcutList.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import type { RecordListDefinition } from '#kit/contract/record-list.ts';
import { showNumber } from '#kit/contract/text.ts';
import styles from './RecordWay.module.css';
import { useNeighbours } from './use-neighbours.ts';

interface WayBackProps {
  to: PageAddress;
  title: string;
  /** The list on that page, which opens as it was left. */
  list?: RecordListDefinition;
}

/** The way back from a record whose list has no order to walk, or whose page has J and K for its own parts. */
export function WayBack({ to, title, list }: WayBackProps) {
  return (
    <Row gap={4} align="center" tone="soft" size={13} noPrint className={styles.way}>
      <ServedLink className={styles.back} to={(list && lastList(list.name)?.href) ?? to}>
        <IconChevronLeft size={16} aria-hidden />
        <span>{title}</span>
      </ServedLink>
    </Row>
  );
}

/** The list that a record belongs to. */
export interface Listed {
  list: RecordListDefinition;
  id: number;
  /** The page of the list, and its title. */
  page: PageAddress;
  title: string;
  /** The records beside this one where the page was not opened from the list. */
  beside?: { previous: number | null; next: number | null };
}

interface Props {
  of: Listed;
  /** The record's page, where the keys act. */
  part: RefObject<HTMLElement | null>;
  /** Further keys, in capitals; each presses the button with it in its `aria-keyshortcuts`. */
  keys?: readonly Shortcut[];
}

const asNeighbour = (id: number | null | undefined): ReturnType<typeof useNeighbours>['next'] =>
  id === null || id === undefined ? undefined : { id };

/** The way back to the list as it was, and to the records beside this one there; J and K lead there too. */
export function RecordWay({ of: { list, id, page, title, beside: usual }, part, keys = [] }: Props) {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const { address } = useListAddress();
  const navigate = useServedNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => setListAround(page), [page]);
  const last = lastList(list.name);
  const listed = useNeighbours(list, id);
  const { place, total = 0, isMore } = listed;
  const next = last ? listed.next : asNeighbour(usual?.next);
  const previous = last ? listed.previous : asNeighbour(usual?.previous);
  const tab = last?.tab ? list.tabs[last.tab] : undefined;
  const shown: Address = address.part ? { part: address.part } : {};
  const hrefTo = (other: number) => hrefOf(`${pathname.slice(0, pathname.lastIndexOf('/') + 1)}${other}`, shown);
  const open = (neighbour: typeof next) =>
    neighbour &&
    (() => {
      neighbour.go?.();
      void navigate({ href: hrefTo(neighbour.id) });
    });
  useSingleKeys(part, ({ key }) => {
    if (key === 'j') return open(next);
    if (key === 'k') return open(previous);
    if (key === '?') return () => setHelpOpen(true);
    if (!keys.some(([names]) => names.includes(key.toUpperCase()))) return undefined;
    const button = part.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
    return button ? () => button.click() : undefined;
  });
  const count = `${showNumber(total)}${isMore ? '+' : ''}`;
  const beside = [
    { key: 'previous', to: previous, label: t`Previous record`, Icon: IconChevronUp },
    { key: 'next', to: next, label: t`Next record`, Icon: IconChevronDown },
  ];
  return (
    <Row
      as="nav"
      gap={4}
      align="center"
      tone="soft"
      size={13}
      noPrint
      className={styles.way}
      aria-label={t`Place in the list`}
    >
      <ServedLink className={styles.back} to={last?.href ?? page}>
        <IconChevronLeft size={16} aria-hidden />
        <span>{tab ? `${title} · ${translate(tab)}` : title}</span>
      </ServedLink>
      {place !== undefined && (
        <span className={styles.place}>
          <Trans>
            {showNumber(place)} of {count}
          </Trans>
        </span>
      )}
      {(previous || next) &&
        beside.map(({ key, to, label, Icon }) =>
          to ? (
            <ServedLink
              key={key}
              className={styles.step}
              to={hrefTo(to.id)}
              aria-label={label}
              title={label}
              aria-keyshortcuts={key === 'next' ? 'j' : 'k'}
              onClick={to.go}
            >
              <Icon size={16} aria-hidden />
            </ServedLink>
          ) : (
            <span key={key} className={styles.step} aria-hidden>
              <Icon size={16} aria-hidden />
            </span>
          ),
        )}
      {isHelpOpen && (
        <ShortcutList
          keys={[
            [['J'], t`Next record`],
            [['K'], t`Previous record`],
            ...keys,
            [['?'], t`Keyboard shortcuts`],
            [['Ctrl K'], t`Search people and pages`],
            [['Esc'], t`Close`],
          ]}
          onClose={() => setHelpOpen(false)}
        />
      )}
    </Row>
  );
}

import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { summarySlotId } from '#kit/browser/form/ApiForm.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import type { Master } from '#kit/contract/master.ts';
import { translate } from '../text.ts';
import { MasterPage } from './MasterPage.tsx';
import styles from './MastersPage.module.css';

/** A tab that is no list of a master, or a list with something of its own. */
export interface Tab {
  key: string;
  title: string;
  body: ReactNode;
}

/** The last part of a master's path, by which its tab is named in the address. */
export const keyOf = ({ path }: Master) => path.slice(path.lastIndexOf('/') + 1);

/** Words as they stand at a line's beginning. */
export const headed = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** A tab for a master. */
export const tabOf = (master: Master, body: ReactNode = <MasterPage key={master.table} master={master} />): Tab => ({
  key: keyOf(master),
  title: headed(translate(master.plural)),
  body,
});

interface Props {
  title: string;
  tabs: readonly Tab[];
  /** What stands between the title and the tabs, whichever of them is open. */
  above?: ReactNode;
  /** What of the address holds for all the tabs. */
  keeps?: readonly string[];
}

/** Several lists under one title, each behind a tab; a single one has none. */
export function MastersPage({ title, tabs, above, keeps = [] }: Props) {
  const { t } = useLingui();
  const { address } = useListAddress();
  const kept = Object.fromEntries(keeps.flatMap((name) => (address[name] ? [[name, address[name]]] : [])));
  const current = tabs.find(({ key }) => key === address.tab) ?? tabs[0];
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs are one line that slides, with the chosen one in its middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place.
  useEffect(() => {
    const chosen = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (!nav.current || !chosen) return;
    nav.current.scrollLeft = chosen.offsetLeft - (nav.current.clientWidth - chosen.offsetWidth) / 2;
  }, [current?.key]);
  return (
    <>
      <PageHead title={title} />
      {above}
      {tabs.length > 1 && (
        <nav ref={nav} className={`tabs ${styles.tabs}`} aria-label={t`Parts of ${title}`}>
          {tabs.map(({ key, title: words }) => (
            <SearchLink
              key={key}
              search={{ ...kept, tab: key }}
              activeProps={{ 'aria-current': undefined }}
              aria-current={key === current?.key ? 'page' : undefined}
            >
              <span className={styles.words} data-words={words}>
                {words}
              </span>
            </SearchLink>
          ))}
        </nav>
      )}
      <div id={summarySlotId} />
      {current?.body}
    </>
  );
}

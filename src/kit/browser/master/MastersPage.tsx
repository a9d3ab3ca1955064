import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { summarySlotId } from '#kit/browser/form/form-problems.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import type { Master } from '#kit/contract/master.ts';
import type { Page } from '#kit/contract/page.ts';
import { translate } from '../text.ts';

/** The last part of a master's path, which names its tab in the address. */
export const keyOf = ({ path }: Master) => path.slice(path.lastIndexOf('/') + 1);

/** Capitalises the first letter. */
export const headed = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

interface Props {
  page: Page;
  /** The content of each tab of the page, by the tab's key; a tab without one is not there for this user. */
  bodies: Readonly<Record<string, ReactNode>>;
  /** Content between the title and the tabs, for all tabs. */
  above?: ReactNode;
  /** The tabs of a list within a tab, which the address names too, by the tab of the page. */
  within?: Readonly<Record<string, string>>;
  /** The search keys that apply to all tabs. */
  keeps?: readonly string[];
}

/** Several lists under one title, each in a tab; a single list has no tabs. */
export function MastersPage({ page, bodies, above, within = {}, keeps = [] }: Props) {
  const { t } = useLingui();
  const { address } = useListAddress();
  const kept = Object.fromEntries(keeps.flatMap((name) => (address[name] ? [[name, address[name]]] : [])));
  const tabs = (page.tabs ?? []).filter(({ key }) => key in bodies);
  const title = translate(page.title);
  const wanted = within[address.tab ?? ''] ?? address.tab;
  const current = tabs.find(({ key }) => key === wanted) ?? tabs[0];
  return (
    <>
      <PageHead title={title} />
      {above}
      {tabs.length > 1 && (
        <AddressTabs
          label={t`Parts of ${title}`}
          name="tab"
          tabs={tabs.map(({ key, title }) => ({ key, title: translate(title) }))}
          current={current?.key}
          kept={kept}
        />
      )}
      <div id={summarySlotId} />
      {current && bodies[current.key]}
    </>
  );
}

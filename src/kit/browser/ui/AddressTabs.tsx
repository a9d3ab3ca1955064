import { SearchLink } from './PageLink.tsx';
import { Tabs, TabWords } from './Tabs.tsx';

interface Props {
  /** What they are the parts of. */
  label: string;
  /** The search key that holds the tab, such as `tab`. */
  name: string;
  tabs: readonly { key: string; title: string }[];
  current: string | undefined;
  /** Further search keys of each link. */
  kept?: Partial<Record<string, string>>;
}

/** The parts of a page as links that change its address. */
export const AddressTabs = ({ label, name, tabs, current, kept = {} }: Props) => (
  <Tabs label={label} current={current}>
    {tabs.map(({ key, title }) => (
      <SearchLink
        key={key}
        search={{ ...kept, [name]: key }}
        activeProps={{ 'aria-current': undefined }}
        aria-current={key === current ? 'page' : undefined}
      >
        <TabWords words={title} />
      </SearchLink>
    ))}
  </Tabs>
);

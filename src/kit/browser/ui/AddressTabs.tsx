import { useEffect, useRef } from 'react';
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

/** The parts of a page as links that change its address; on a phone one line that slides, with the chosen one in its middle. */
export function AddressTabs({ label, name, tabs, current, kept = {} }: Props) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place.
  useEffect(() => {
    const line = nav.current;
    const chosen = line?.querySelector<HTMLElement>('[aria-current]');
    if (!line || !chosen) return;
    const centre = () => {
      line.scrollLeft = chosen.offsetLeft - (line.clientWidth - chosen.offsetWidth) / 2;
    };
    centre();
    // A turned phone, or a window made narrower.
    const observer = new ResizeObserver(centre);
    observer.observe(line);
    return () => observer.disconnect();
  }, [current]);
  return (
    <Tabs ref={nav} label={label}>
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
}

import { useEffect } from 'react';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import type { Colours } from '#kit/browser/ui/colours.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { sections } from './sections.ts';
import './gallery.css';

interface Props {
  colours: Colours;
  onColours: (colours: Colours) => void;
}

const addressOf = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .replace(' ', '-')
    .toLowerCase();

/** Every component of the kit in every state, on one page. */
export function Gallery({ colours, onColours }: Props) {
  // The browser looked for the section before it was drawn.
  useEffect(() => {
    const section = document.getElementById(location.hash.slice(1));
    if (!section) return;
    // The sections above it grow as their answers arrive.
    const observer = new ResizeObserver(() => section.scrollIntoView());
    observer.observe(document.body);
    const stop = () => observer.disconnect();
    for (const event of ['wheel', 'keydown', 'pointerdown']) window.addEventListener(event, stop, { once: true });
    return stop;
  }, []);
  return (
    <div className="shell-body">
      <nav className="shell-menu gallery-menu" aria-label="Components">
        <ul>
          {['PageHead', ...sections.map(({ name }) => name)].map((name) => (
            <li key={name}>
              <a href={`#${addressOf(name)}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="shell-page">
        <div id={addressOf('PageHead')}>
          <PageHead title="Kit">
            <FilterChoice label="Colours" value={colours} onChange={(chosen) => onColours(chosen as Colours)}>
              <option value="device">Those of the system</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </FilterChoice>
          </PageHead>
        </div>
        {sections.map(({ name, states }) => (
          <section
            key={name}
            id={addressOf(name)}
            className="gallery-section"
            aria-labelledby={`${addressOf(name)}-name`}
          >
            <h2 id={`${addressOf(name)}-name`}>{name}</h2>
            {Object.entries(states).map(([words, state]) => (
              <div key={words} className="gallery-state">
                <h3>{words}</h3>
                {state}
              </div>
            ))}
          </section>
        ))}
      </main>
    </div>
  );
}

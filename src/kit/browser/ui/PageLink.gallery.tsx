import type { Section } from '#kit/browser/gallery/section.tsx';
import { ButtonLink } from './Button.tsx';
import { PageLink, SearchLink } from './PageLink.tsx';

export const pageLink: Section = {
  name: 'PageLink',
  states: {
    'To another page': (
      <ButtonLink to="/sign-up" kind="quiet">
        Ask for an account
      </ButtonLink>
    ),
    'Within a sentence': (
      <p>
        Who has no account can <PageLink to="/sign-up">ask for one</PageLink> at any time.
      </p>
    ),
  },
};

export const searchLink: Section = {
  name: 'SearchLink',
  states: {
    'As tabs': (
      <nav className="tabs" aria-label="Tabs">
        <SearchLink search={{ tab: 'first' }} aria-current="page">
          First
        </SearchLink>
        <SearchLink search={{ tab: 'second' }}>Second</SearchLink>
        <SearchLink search={{ tab: 'third' }}>A third one with more words</SearchLink>
      </nav>
    ),
  },
};

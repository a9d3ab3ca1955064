import type { Section } from '#kit/browser/gallery/section.tsx';
import { AddressTabs } from './AddressTabs.tsx';
import { ButtonLink } from './Button.tsx';
import { PageLink, SearchLink, ServedLink } from './PageLink.tsx';
import { Tabs, TabWords } from './Tabs.tsx';

export const pageLink: Section = {
  name: 'PageLink',
  states: {
    'To another page': (
      <ButtonLink to="/sign-up" kind="quiet">
        Ask for an account
      </ButtonLink>
    ),
    'To an address that the server names': (
      <p>
        The server names the page: <ServedLink to="/sign-up">ask for an account</ServedLink>.
      </p>
    ),
    'Within a sentence': (
      <p>
        Who has no account can <PageLink to="/sign-up">ask for one</PageLink> at any time.
      </p>
    ),
  },
};

export const tabs: Section = {
  name: 'Tabs',
  states: {
    'Two parts': (
      <Tabs label="Parts of the garden">
        <SearchLink search={{ tab: 'trees' }} aria-current="page">
          <TabWords words="Trees" />
        </SearchLink>
        <SearchLink search={{ tab: 'hedges' }}>
          <TabWords words="Hedges" />
        </SearchLink>
      </Tabs>
    ),
  },
};

export const addressTabs: Section = {
  name: 'AddressTabs',
  states: {
    'Two parts': (
      <AddressTabs
        label="Beds of the garden"
        name="bed"
        tabs={[
          { key: 'roses', title: 'Roses' },
          { key: 'herbs', title: 'Herbs' },
        ]}
        current="roses"
      />
    ),
  },
};

export const searchLink: Section = {
  name: 'SearchLink',
  states: {
    'As tabs': (
      <Tabs label="Tabs">
        <SearchLink search={{ tab: 'first' }} aria-current="page">
          First
        </SearchLink>
        <SearchLink search={{ tab: 'second' }}>Second</SearchLink>
        <SearchLink search={{ tab: 'third' }}>A third one with more words</SearchLink>
      </Tabs>
    ),
  },
};

import { IconDownload } from '@tabler/icons-react';
import { longLabel, type Section } from '#kit/browser/gallery/section.tsx';
import { Button, ButtonAnchor, ButtonLabel, ButtonLink } from './Button.tsx';
import { FileButton } from './FileButton.tsx';
import { VisuallyHidden } from './VisuallyHidden.tsx';

const nothing = () => undefined;

export const button: Section = {
  name: 'Button',
  states: {
    'To choose from': (
      <div className="list-buttons">
        <Button kind="main">Save</Button>
        <Button>Cancel</Button>
        <Button kind="bad">Remove</Button>
        <Button kind="quiet">Change</Button>
        <Button kind="link">Show all</Button>
      </div>
    ),
    'With an icon': (
      <Button>
        <IconDownload size={18} aria-hidden /> Download
      </Button>
    ),
    Busy: (
      <Button kind="main" isBusy>
        Save
      </Button>
    ),
    Disabled: <Button disabled>Save</Button>,
    'Quiet, below text': (
      <>
        <p>Planted on 3 Mar 1988.</p>
        <Button kind="quiet" edge="start">
          Change the day
        </Button>
      </>
    ),
    'Links to a page and elsewhere': (
      <div className="list-buttons">
        <ButtonLink to="/sign-up">Ask for an account</ButtonLink>
        <ButtonAnchor kind="quiet" href="#button">
          Show the buttons
        </ButtonAnchor>
      </div>
    ),
    'The label of a file box': (
      <>
        <VisuallyHidden as="input" type="file" id="tree-picture" />
        <ButtonLabel htmlFor="tree-picture">Choose a picture</ButtonLabel>
      </>
    ),
    'Long words': <Button>{longLabel}</Button>,
  },
};

export const fileButton: Section = {
  name: 'FileButton',
  states: {
    'Asks for a file': (
      <FileButton accept=".csv" onChoose={nothing}>
        Choose a file
      </FileButton>
    ),
  },
};

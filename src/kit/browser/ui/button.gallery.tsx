import { IconDownload } from '@tabler/icons-react';
import { longLabel, type Section } from '#kit/browser/gallery/section.tsx';

export const button: Section = {
  name: 'Button',
  states: {
    'To choose from': (
      <div className="list-buttons">
        <button type="button" className="button button-main">
          Save
        </button>
        <button type="button" className="button">
          Cancel
        </button>
        <button type="button" className="button button-bad">
          Remove
        </button>
        <button type="button" className="quiet-button">
          Change
        </button>
        <button type="button" className="link-button">
          Show all
        </button>
      </div>
    ),
    'With an icon': (
      <button type="button" className="button">
        <IconDownload size={18} aria-hidden /> Download
      </button>
    ),
    Busy: (
      <button type="button" className="button button-main" aria-disabled>
        Save
      </button>
    ),
    Disabled: (
      <button type="button" className="button" disabled>
        Save
      </button>
    ),
    'Long words': (
      <button type="button" className="button">
        {longLabel}
      </button>
    ),
  },
};

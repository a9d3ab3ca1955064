import { longLabel, longWords, Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { AskDialog } from './AskDialog.tsx';

const confirm = async (close: () => void) => close();

export const askDialog: Section = {
  name: 'AskDialog',
  states: {
    'A question': (
      <Opener words="Close the list">
        {(close) => (
          <AskDialog title="Close the list?" confirm="Close the list" onConfirm={confirm} onClose={close}>
            Nothing can be added to it afterwards.
          </AskDialog>
        )}
      </Opener>
    ),
    'What cannot be undone, with what is affected': (
      <Opener words="Remove two trees">
        {(close) => (
          <AskDialog
            title="Remove two trees?"
            details={
              <ul>
                <li>Oak</li>
                <li>Elm</li>
              </ul>
            }
            confirm="Remove"
            cancel="Keep them"
            isBad
            onConfirm={confirm}
            onClose={close}
          />
        )}
      </Opener>
    ),
    'Nothing to do': (
      <Opener words="Move nothing">
        {(close) => (
          <AskDialog title="Nobody can be moved" cancel="Close" onConfirm={confirm} onClose={close}>
            Every place is taken.
          </AskDialog>
        )}
      </Opener>
    ),
    Refused: (
      <Opener words="Move into a full list">
        {(close) => (
          <AskDialog
            title="Move Oak?"
            confirm="Move"
            problem={
              <p role="alert" className="error">
                The list is full.
              </p>
            }
            onConfirm={async () => undefined}
            onClose={close}
          />
        )}
      </Opener>
    ),
    'Busy, once it is confirmed': (
      <Opener words="Move slowly">
        {(close) => (
          <AskDialog title="Move Oak?" confirm="Move" onConfirm={() => new Promise(() => undefined)} onClose={close} />
        )}
      </Opener>
    ),
    'Long words': (
      <Opener words="Ask at length">
        {(close) => (
          <AskDialog
            title={longWords}
            details={<p>{longWords}</p>}
            confirm={longLabel}
            onConfirm={confirm}
            onClose={close}
          >
            {longWords}
          </AskDialog>
        )}
      </Opener>
    ),
  },
};

import { longWords, Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { DialogButtons } from './Dialog.tsx';
import { SideDialog } from './SideDialog.tsx';
import { Unsaved } from './unsaved.tsx';

export const sideDialog: Section = {
  name: 'SideDialog',
  states: {
    'To read': (
      <Opener words="Open a panel">
        {(onClose) => (
          <SideDialog title="Oak" about="Planted on 3 Mar 1988" onClose={onClose}>
            {() => <p>It stands on the north side.</p>}
          </SideDialog>
        )}
      </Opener>
    ),
    'Asks before it loses what was entered': (
      <Opener words="Open a changed panel">
        {(onClose) => (
          <SideDialog title="Oak" onClose={onClose}>
            {(close) => (
              <>
                <Unsaved />
                <DialogButtons>
                  <Button onClick={close}>Close at once</Button>
                </DialogButtons>
              </>
            )}
          </SideDialog>
        )}
      </Opener>
    ),
    'Long words': (
      <Opener words="Open a panel of many words">
        {(onClose) => (
          <SideDialog title={longWords} about={longWords} onClose={onClose}>
            {() => <p>{`${longWords} `.repeat(40)}</p>}
          </SideDialog>
        )}
      </Opener>
    ),
  },
};

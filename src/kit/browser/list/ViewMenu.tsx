import { Trans, useLingui } from '@lingui/react/macro';
import { IconBookmark, IconChevronDown } from '@tabler/icons-react';
import { use } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import type { ListView } from '#kit/contract/list-view.ts';
import { MayShare } from './may-share.ts';
import styles from './ViewMenu.module.css';

interface Props {
  /** Undefined while they load, and where that failed. */
  views: readonly ListView[] | undefined;
  /** Loads them again, where that failed. */
  onRetry?: () => void;
  current: ListView | undefined;
  /** Without a view, the list as it is at first. */
  onChoose: (view: ListView | undefined) => void;
  onSave: () => void;
  onRemove: (view: ListView) => void;
}

/** The saved views of a list: the user's own, and those that are shared. */
export function ViewMenu({ views = [], onRetry, current, onChoose, onSave, onRemove }: Props) {
  const { t } = useLingui();
  const mayShare = use(MayShare);
  const groups = [
    { label: t`My views`, views: views.filter(({ isOwn }) => isOwn) },
    { label: t`Shared views`, views: views.filter(({ isOwn }) => !isOwn) },
  ];
  return (
    <Menu
      button={
        <Button className={classNames(styles.button, current && styles.chosen)}>
          <IconBookmark className={styles.icon} size={18} aria-hidden />
          <span className={styles.name}>{current ? current.name : <Trans>Views</Trans>}</span>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      }
    >
      {groups.map(
        (group) =>
          group.views.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: a group of a menu's items is no fieldset.
            <div key={group.label} role="group" aria-label={group.label}>
              <Menu.Label aria-hidden>{group.label}</Menu.Label>
              {group.views.map((view) => (
                <Menu.Item
                  key={view.id}
                  aria-current={view.id === current?.id ? 'true' : undefined}
                  className={styles.view}
                  onClick={() => onChoose(view)}
                >
                  {view.name}
                </Menu.Item>
              ))}
            </div>
          ),
      )}
      {views.length > 0 && <Menu.Divider />}
      {onRetry && (
        <Menu.Item closeMenuOnClick={false} onClick={onRetry}>
          <Trans>Views could not be loaded. Try again.</Trans>
        </Menu.Item>
      )}
      {current && (
        <Menu.Item onClick={() => onChoose(undefined)}>
          <Trans>Show the whole list</Trans>
        </Menu.Item>
      )}
      <Menu.Item onClick={onSave}>
        <Trans>Save this view…</Trans>
      </Menu.Item>
      {current && (current.isOwn || (current.isShared && mayShare)) && (
        <Menu.Item onClick={() => onRemove(current)}>
          <Trans>Remove the view “{current.name}”…</Trans>
        </Menu.Item>
      )}
    </Menu>
  );
}

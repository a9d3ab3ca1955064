import { Link } from '@tanstack/react-router';
import { translate } from '#kit/browser/text.ts';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { List } from '#kit/browser/ui/Layout.tsx';
import { addressOf } from './address.ts';
import styles from './SideMenu.module.css';
import { type MenuProps, onlyPage, useHere } from './SideMenu.tsx';

/** The menu as a column of icons: a single page opens, and a group opens the whole menu at itself. */
export function MenuRail({ onOpen, ...props }: MenuProps & { onOpen: (index: number) => void }) {
  const { current } = useHere(props);
  return (
    <List className={styles.rail}>
      {props.groups.map(({ title, icon: Icon, pages }, index) => {
        const page = onlyPage({ title, pages });
        const icon = <Icon size={20} stroke={1.7} aria-hidden />;
        return (
          <li key={title.id}>
            {page ? (
              <Link
                to={addressOf(page)}
                activeProps={{ 'aria-current': undefined }}
                activeOptions={{ exact: true }}
                className={styles.icon}
                aria-label={translate(title)}
                aria-current={index === current ? 'page' : undefined}
                title={translate(title)}
              >
                {icon}
              </Link>
            ) : (
              <IconButton
                label={translate(title)}
                className={styles.icon}
                aria-haspopup="dialog"
                aria-current={index === current || undefined}
                onClick={() => onOpen(index)}
              >
                {icon}
              </IconButton>
            )}
          </li>
        );
      })}
    </List>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { chooseColours, useColours } from '#kit/browser/ui/colours.ts';
import { Menu } from '#kit/browser/ui/Menu.tsx';

/** Light or dark, kept on this device. The menu is kept open, so that both can be looked at. */
export function Theme() {
  const { t } = useLingui();
  const shown = useColours();
  const themes = [
    { colours: 'light', label: t`Light`, icon: <IconSun size={16} aria-hidden /> },
    { colours: 'dark', label: t`Dark`, icon: <IconMoon size={16} aria-hidden /> },
    { colours: 'device', label: t`Same as the device`, icon: <IconDeviceDesktop size={16} aria-hidden /> },
  ] as const;
  return (
    <>
      <Menu.Divider />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a menu. */}
      <div role="group" aria-label={t`Theme`}>
        <Menu.Label aria-hidden>
          <Trans>Theme</Trans>
        </Menu.Label>
        {themes.map(({ colours, label, icon }) => (
          <Menu.Item
            key={colours}
            // Mantine would call each of them an ordinary item.
            renderRoot={(props) => (
              <button {...props} type="button" role="menuitemradio" aria-checked={shown === colours} />
            )}
            closeMenuOnClick={false}
            leftSection={icon}
            rightSection={shown === colours && <IconCheck size={16} aria-hidden />}
            onClick={() => chooseColours(colours)}
          >
            {label}
          </Menu.Item>
        ))}
      </div>
      <Menu.Divider />
    </>
  );
}

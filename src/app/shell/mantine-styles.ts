// The styles of Mantine's parts. They come with the shell and not with the parts, so that its own styles follow them.
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Combobox.css';

"""MJCF, the format of MuJoCo, through MuJoCo's own compiler."""

"""SDF, the format of Gazebo: the subset that single robots use."""

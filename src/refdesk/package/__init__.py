"""The package compiler: knowledge declared in ``agent.yaml`` becomes a folder that can be deployed."""
